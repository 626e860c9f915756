#pragma once

#include "orchestrator/decide.hpp"
#include "orchestrator/stored.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::orchestrator {

// A queen's decisions with time moved by hand; her only controller is `alpha-marshal`.
struct QueenUnderTest {
    SwarmId alpha = SwarmId::parse("alpha").value();
    InstanceId marshal = InstanceId::parse("alpha-marshal").value();
    Moment moment{.wall = Timestamp{std::chrono::seconds{1000}}};
    State state{.instance = InstanceId::parse("queen").value(), .life = "q"};
    std::vector<Command> done{}; // of the newest event
    std::vector<Ended> ended{};  // of all events
    std::vector<Refuse> refused{};
    std::map<SwarmId, json::object> kept{}; // what a next life finds
    std::vector<json::object> open{};

    QueenUnderTest next_life() const {
        QueenUnderTest next;
        next.moment = moment;
        next.state.life = state.life + "'";
        next.kept = kept;
        next.open = open;
        Restarted restarted;
        for (const auto& [id, stored] : kept) {
            next.state.swarms.emplace(id, from_stored(json::value(stored)).value());
        }
        for (const auto& stored : open) {
            restarted.open.push_back(ask_from_stored(json::value(stored)).value());
        }
        next.on(restarted);
        return next;
    }
    void keep(const Command& command) {
        if (const auto* save = std::get_if<Save>(&command)) {
            kept[save->swarm] = to_stored(state.swarms.at(save->swarm));
        } else if (const auto* ask = std::get_if<KeepAsk>(&command)) {
            open.push_back(to_stored(ask->record));
        } else if (const auto* end = std::get_if<Ended>(&command)) {
            std::erase_if(open, [&](const json::object& each) {
                return each.at("correlationId").as_string() == end->asked.correlation_id;
            });
        }
    }

    void on(const Event& event) {
        moment.now += std::chrono::milliseconds{1};
        moment.wall += std::chrono::milliseconds{1};
        auto decision = decide(std::move(state), event, moment);
        state = std::move(decision.next);
        done = std::move(decision.commands);
        for (const Command& command : done) {
            keep(command);
            if (const auto* end = std::get_if<Ended>(&command)) ended.push_back(*end);
            if (const auto* refusal = std::get_if<Refuse>(&command)) refused.push_back(*refusal);
        }
    }
    void create() { create(alpha, "c"); }
    void create(const SwarmId& swarm, const std::string& id) {
        on(CreateAsked{swarm, {{"bees", json::array{}}}, {}, {id, "key"}, "ann", "run-" + id});
    }
    void ask(Wish wish, const std::string& id) { on(WishAsked{alpha, wish, {id, id}}); }
    void configure(wire::Scope target, json::object patch, const std::string& id) {
        on(ConfigAsked{std::move(target), std::move(patch), {id, id}});
    }
    wire::Scope controller() const { return {alpha, wire::controller_role(), marshal}; }
    wire::Scope bee(std::string_view role, int n) const {
        const auto instance = "alpha-" + std::string{role} + "-" + std::to_string(n);
        return {alpha, Role::parse(role).value(), InstanceId::parse(instance).value()};
    }
    static json::object context_of(std::string_view status, std::string_view life) {
        const bool initialised = status != "New" && status != "Creating";
        return {{"swarmStatus", status}, {"initialized", initialised}, {"life", life}};
    }
    void marshal_says(std::string_view status, std::string_view life = "m1") {
        says(wire::StatusDelta{.context = context_of(status, life)});
    }
    // In full, with two processors and a generator.
    void marshal_lists(std::string_view status, std::string_view life = "m1") {
        auto context = context_of(status, life);
        json::array workers;
        for (const auto& one : {bee("processor", 1), bee("processor", 2), bee("generator", 1)}) {
            workers.push_back(
                json::object{{"role", one.role.text()}, {"instance", one.instance.text()}});
        }
        context["workers"] = std::move(workers);
        says(wire::StatusFull{.context = std::move(context)});
    }
    void says(auto status) {
        on(Heard{wire::Envelope::status(
            {{wire::controller_role(), marshal}, moment.wall}, controller(), std::move(status))});
    }
    void outcome(const std::string& id, wire::Outcome outcome) {
        outcome_of(controller(), id, std::move(outcome));
    }
    void outcome_of(const wire::Scope& who, const std::string& id, wire::Outcome outcome) {
        on(Heard{wire::Envelope::outcome(
            {{*who.role.id(), *who.instance.id()}, moment.wall}, who, {id, "key"},
            std::move(outcome))});
    }
    void make_running() {
        create();
        marshal_lists("Ready");
        ask(Wish::running, "s");
        outcome("s", wire::Outcome::succeeded(wire::Command::swarm_start));
        marshal_lists("Running");
    }
    void pass(Duration time) {
        moment.now += time;
        moment.wall += time;
        on(Tick{});
    }
    const Swarm& swarm() const { return state.swarms.at(alpha); }

    template <class Kind>
    std::size_t count() const {
        std::size_t n = 0;
        for (const auto& command : done) n += std::holds_alternative<Kind>(command) ? 1U : 0U;
        return n;
    }
    std::vector<wire::Envelope> all_sent(wire::Command command) const {
        std::vector<wire::Envelope> sent;
        for (const auto& each : done) {
            const auto* publish = std::get_if<Publish>(&each);
            const auto* signal =
                publish ? std::get_if<wire::Signal>(&publish->envelope.body) : nullptr;
            if (signal != nullptr && signal->command == command) sent.push_back(publish->envelope);
        }
        return sent;
    }
    std::optional<wire::Envelope> sent(wire::Command command) const {
        const auto all = all_sent(command);
        return all.empty() ? std::nullopt : std::optional{all.front()};
    }
    std::vector<wire::Alert> alerts() const {
        std::vector<wire::Alert> out;
        for (const auto& each : done) {
            const auto* publish = std::get_if<Publish>(&each);
            const auto* alert =
                publish ? std::get_if<wire::Alert>(&publish->envelope.body) : nullptr;
            if (alert != nullptr) out.push_back(*alert);
        }
        return out;
    }
    // What the queen herself answers, of the newest event.
    std::vector<wire::Envelope> answers() const {
        std::vector<wire::Envelope> out;
        for (const auto& each : done) {
            const auto* publish = std::get_if<Publish>(&each);
            if (publish == nullptr) continue;
            if (std::holds_alternative<wire::Outcome>(publish->envelope.body)) {
                out.push_back(publish->envelope);
            }
        }
        return out;
    }
    std::vector<JournalEntry> entries() const {
        std::vector<JournalEntry> out;
        for (const auto& each : done) {
            if (const auto* record = std::get_if<Record>(&each)) out.push_back(record->entry);
        }
        return out;
    }
    std::vector<Ended> ends_of(const std::string& id) const {
        std::vector<Ended> out;
        for (const Ended& end : ended) {
            if (end.asked.correlation_id == id) out.push_back(end);
        }
        return out;
    }
};

} // namespace hive::orchestrator
