#pragma once

#include "controller/decide.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::controller {

inline json::object pipeline_with(std::string_view restart) {
    auto text = std::string{R"({"bees": [
        {"role": "proc", "work": {"in": {"in": "raw"}}},
        {"role": "gen", "work": {"out": {"out": "raw"}}, "restart": )"};
    return parse_json(text + std::string{restart} + "}]}").value().as_object();
}

inline json::object pipeline() {
    return pipeline_with("{}");
}

// A marshal whose bees acknowledge at once, unless they are deaf or refuse.
struct MarshalUnderTest {
    SwarmId alpha = SwarmId::parse("alpha").value();
    InstanceId instance = InstanceId::parse("alpha-marshal").value();
    Moment moment{.wall = Timestamp{std::chrono::seconds{1000}}};
    State state{.swarm = alpha, .instance = instance, .started_at = moment.wall, .life = "life"};
    std::vector<std::string> deaf{};
    std::vector<std::string> refusing{};
    bool runtime_works = true; // else nothing says whether a launch came to something
    std::vector<wire::Envelope> said{};
    std::vector<std::string> enabled{}; // bees in the order in which they were turned on
    std::vector<Command> done{};

    static InstanceId id(std::string_view text) { return InstanceId::parse(text).value(); }
    void on(const Event& event) {
        advance(std::chrono::milliseconds{1});
        auto decision = decide(std::move(state), event, moment);
        state = std::move(decision.next);
        for (const auto& command : decision.commands) perform(command);
    }
    void perform(const Command& command) {
        done.push_back(command);
        const auto* launch = std::get_if<Launch>(&command);
        if (launch != nullptr && runtime_works) on(Launched{launch->bee.instance});
        const auto* publish = std::get_if<Publish>(&command);
        if (publish == nullptr) return;
        const wire::Envelope envelope = publish->envelope;
        const auto sound = wire::check(envelope);
        if (!sound) throw std::logic_error{"others would refuse this: " + sound.error().detail};
        said.push_back(envelope);
        if (std::holds_alternative<wire::Signal>(envelope.body)) bee_hears(envelope);
    }
    void bee_hears(const wire::Envelope& signal) {
        const std::string bee{signal.scope.instance.text()};
        if (std::ranges::find(deaf, bee) != deaf.end()) return;
        const auto& data = std::get<wire::Signal>(signal.body).data;
        const auto* on_off = data.if_contains("enabled");
        const bool on = on_off != nullptr && on_off->get_bool();
        if (std::ranges::find(refusing, bee) != refusing.end() && data.contains("rate")) {
            return bee_says(
                signal.scope, on,
                {{"lastConfig", "older"},
                 {"configError",
                  json::object{
                      {"correlationId", *signal.correlation_id}, {"reason", "bad rate"}}}});
        }
        if (on) enabled.push_back(bee);
        bee_says(signal.scope, on, {{"lastConfig", signal.correlation_id.value()}});
    }
    void bee_says(const wire::Scope& bee, bool is_enabled, json::object context) {
        advance(std::chrono::milliseconds{1});
        on(Heard{wire::Envelope::status(
            {wire::Origin::parse("bee:x").value(), moment.wall}, bee,
            wire::StatusDelta{.enabled = is_enabled, .context = std::move(context)})});
    }
    wire::Scope bee(std::string_view role) const {
        return {alpha, Role::parse(role).value(), id("alpha-" + std::string{role} + "-1")};
    }
    void told(wire::Signal signal, const std::string& correlation) {
        told(wire::Scope{alpha, wire::controller_role(), instance}, std::move(signal), correlation);
    }
    void told(const wire::Scope& target, wire::Signal signal, const std::string& correlation) {
        advance(std::chrono::milliseconds{1});
        on(Heard{wire::Envelope::signal(
            {wire::Origin::parse("orchestrator:queen").value(), moment.wall}, target,
            {correlation, "key"}, std::move(signal))});
    }
    void make_ready(const json::object& text = pipeline()) {
        told(wire::Signal::swarm_template(text), "t");
        told(wire::Signal::swarm_plan({}), "p");
    }
    void make_running(const json::object& text = pipeline()) {
        make_ready(text);
        told(wire::Signal::swarm_start(), "s");
    }
    std::vector<wire::Outcome> outcomes_of(const std::string& correlation) const {
        std::vector<wire::Outcome> out;
        for (const auto& envelope : said) {
            const auto* outcome = std::get_if<wire::Outcome>(&envelope.body);
            if (outcome != nullptr && envelope.correlation_id == correlation) {
                out.push_back(*outcome);
            }
        }
        return out;
    }
    // None unless there is exactly one.
    std::optional<wire::OutcomeStatus> outcome_of(const std::string& correlation) const {
        const auto all = outcomes_of(correlation);
        return all.size() == 1 ? std::optional{all[0].status} : std::nullopt;
    }
    std::string reason_of(const std::string& correlation) const {
        return outcomes_of(correlation).at(0).context->at("reason").as_string().c_str();
    }
    std::vector<wire::Alert> alerts_with(std::string_view code) const {
        std::vector<wire::Alert> out;
        for (const auto& envelope : said) {
            const auto* alert = std::get_if<wire::Alert>(&envelope.body);
            if (alert != nullptr && alert->code == code) out.push_back(*alert);
        }
        return out;
    }
    std::size_t alerts(std::string_view code) const { return alerts_with(code).size(); }
    template <class Kind>
    std::size_t count() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            done, [](const Command& each) { return std::holds_alternative<Kind>(each); }));
    }
    json::object aggregate() { // of a full status
        told(wire::Signal::status_request(), "status");
        return *std::get<wire::StatusFull>(said.back().body).context;
    }
    void advance(Duration by) {
        moment.now += by;
        moment.wall += by;
    }
    void pass(Duration time) {
        for (Duration passed{0}; passed < time; passed += std::chrono::seconds{1}) {
            advance(std::chrono::seconds{1});
            on(Tick{});
        }
    }
};

} // namespace hive::controller
