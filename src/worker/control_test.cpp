#include "worker/control.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::worker;
using namespace std::chrono_literals;

namespace {

const SwarmId alpha = SwarmId::parse("alpha").value();
const Role processor = Role::parse("processor").value();
const InstanceId first = InstanceId::parse("alpha-processor-1").value();
const wire::Scope only_me{alpha, processor, first};
const wire::Scope whole_swarm{.swarm = alpha};

struct BeeUnderTest {
    Moment moment{.wall = Timestamp{1000s}};
    ControlState state{.self = {alpha, processor, first}, .started_at = moment.wall};
    ControlSettings settings{};

    std::vector<ControlCommand> on(const ControlEvent& event) {
        auto decision = decide(state, event, moment, settings);
        state = std::move(decision.next);
        return decision.commands;
    }
    std::vector<ControlCommand>
    told(json::object patch, const std::string& id, wire::Scope to = only_me) {
        advance(1ms);
        return on(SignalHeard{signal(std::move(patch), id, std::move(to))});
    }
    wire::Envelope signal(json::object patch, const std::string& id, wire::Scope to) const {
        return wire::Envelope::signal(
            {wire::Origin::parse("swarm-controller:alpha-marshal").value(), moment.wall},
            std::move(to), {id, "key"}, wire::Signal::config_update(std::move(patch)));
    }
    void advance(Duration by) {
        moment.now += by;
        moment.wall += by;
    }
};

template <class Body>
std::vector<Body> said(const std::vector<ControlCommand>& commands) {
    std::vector<Body> out;
    for (const auto& command : commands) {
        const auto* publish = std::get_if<Publish>(&command);
        if (publish == nullptr) continue;
        if (const auto* body = std::get_if<Body>(&publish->envelope.body)) out.push_back(*body);
    }
    return out;
}

} // namespace

TEST_CASE("a bee starts disabled and says so in full, with no configuration acknowledged") {
    BeeUnderTest bee;
    const auto full = said<wire::StatusFull>(bee.on(Started{}));
    REQUIRE(full.size() == 1);
    CHECK_FALSE(full[0].enabled);
    CHECK(full[0].context->at("lastConfig") == "");
}

TEST_CASE("a config-update merges deeply, turns the workload on and is acknowledged by its id") {
    BeeUnderTest bee;
    bee.told({{"http", {{"timeout", 1}, {"keep", true}}}}, "c1");
    const auto commands = bee.told({{"enabled", true}, {"http", {{"timeout", 2}}}}, "c2");
    CHECK(std::get<SetWorkload>(commands.at(1)).enabled);
    CHECK(bee.state.config == json::object{{"http", {{"timeout", 2}, {"keep", true}}}});
    CHECK(said<wire::StatusFull>(commands).at(0).context->at("lastConfig") == "c2");
    const auto outcomes = said<wire::Outcome>(commands);
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0] == wire::Outcome::applied(true));
}

TEST_CASE("a bee leaves the outcome of a command to the whole swarm to its controller") {
    BeeUnderTest bee;
    const auto commands = bee.told({{"rate", 5}}, "c1", whole_swarm);
    CHECK(bee.state.config.at("rate") == 5);
    CHECK(said<wire::Outcome>(commands).empty());
}

TEST_CASE("the same attempt delivered twice is carried out and answered once") {
    BeeUnderTest bee;
    bee.told({{"enabled", true}}, "c1");
    CHECK(bee.told({{"enabled", true}}, "c1").empty());
}

TEST_CASE("a signal that a newer one of its sender overtook changes nothing") {
    BeeUnderTest bee;
    const auto enable = bee.signal({{"enabled", true}}, "c1", only_me);
    bee.told({{"enabled", false}}, "c2");
    const auto commands = bee.on(SignalHeard{enable});
    CHECK_FALSE(bee.state.enabled);
    CHECK(bee.state.last_config == "c2");
    CHECK(said<wire::Outcome>(commands).at(0).status == wire::OutcomeStatus::not_ready);
}

TEST_CASE("a signal sent to an earlier life is left alone") {
    BeeUnderTest bee;
    const auto enable = bee.signal({{"enabled", true}}, "c1", only_me);
    bee.state.started_at += 1s;
    CHECK(bee.on(SignalHeard{enable}).empty());
}

TEST_CASE("a bee sends a delta every five seconds, and at once when its flow changes") {
    BeeUnderTest bee;
    bee.on(Started{});
    bee.advance(4s);
    CHECK(bee.on(Tick{}).empty());
    bee.advance(1s);
    CHECK(said<wire::StatusDelta>(bee.on(Tick{})).size() == 1);
    const WorkloadReport blocked{3, {.output = wire::OutputState::blocked}};
    CHECK(said<wire::StatusDelta>(bee.on(blocked)).size() == 1);
    CHECK(bee.on(blocked).empty());
}

namespace {

Status rate_is_positive(const json::object& config) {
    const auto* rate = config.if_contains("rate");
    if (rate == nullptr || rate->to_number<int>() > 0) return {};
    return fail(Errc::invalid, "rate: must be positive");
}

} // namespace

TEST_CASE("a refused patch fails with one alert, and the old configuration stays") {
    BeeUnderTest bee{.settings = {.validate = rate_is_positive}};
    bee.told({{"enabled", true}, {"rate", 5}}, "c1");
    const auto commands = bee.told({{"enabled", false}, {"rate", -5}}, "c2");
    CHECK(bee.state.enabled);
    CHECK(bee.state.config == json::object{{"rate", 5}});
    CHECK(bee.state.last_config == "c1");
    const auto outcomes = said<wire::Outcome>(commands);
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].status == wire::OutcomeStatus::failed);
    CHECK(outcomes[0].retryable == false);
    const auto alerts = said<wire::Alert>(commands);
    REQUIRE(alerts.size() == 1);
    CHECK(alerts[0].code == "worker.config-invalid");
    CHECK(alerts[0].context->at("phase") == "config-update");
    CHECK(alerts[0].context->at("correlationId") == "c2");
}

TEST_CASE("what is refused is the merged configuration, not the patch alone") {
    const auto needs_both = [](const json::object& config) -> Status {
        if (config.contains("path") == config.contains("host")) return {};
        return fail(Errc::invalid, "path and host belong together");
    };
    BeeUnderTest bee{.settings = {.validate = needs_both}};
    bee.told({{"path", "/"}, {"host", "h"}}, "c1");
    CHECK(
        said<wire::Outcome>(bee.told({{"host", nullptr}}, "c2"))[0].status ==
        wire::OutcomeStatus::failed);
}

TEST_CASE(
    "a refusal of what went to the whole swarm is in the status, for the controller to tell") {
    BeeUnderTest bee{.settings = {.validate = rate_is_positive}};
    const auto commands = bee.told({{"rate", -5}}, "c1", whole_swarm);
    CHECK(said<wire::Outcome>(commands).empty());
    CHECK(said<wire::Alert>(commands).empty());
    const auto error = said<wire::StatusFull>(commands).at(0).context->at("configError");
    CHECK(error == json::value{{"correlationId", "c1"}, {"reason", "rate: must be positive"}});
    const auto next = bee.told({{"rate", 5}}, "c2", whole_swarm);
    CHECK_FALSE(said<wire::StatusFull>(next).at(0).context->contains("configError"));
}

TEST_CASE("a full status says which queues the bee works on and hears") {
    BeeUnderTest bee;
    bee.state.work_wiring = {.in = {"ph.work.alpha.raw"}, .routes = {"ph.work.alpha.done"}};
    bee.state.control_wiring = {.in = {"ph.control.alpha.processor.alpha-processor-1"}};
    const auto full = said<wire::StatusFull>(bee.on(Started{})).at(0);
    CHECK(full.io.work->queues == bee.state.work_wiring);
    CHECK(full.io.control == bee.state.control_wiring);
}

TEST_CASE("trouble of a side is alerted once, and so is its recovery") {
    BeeUnderTest bee;
    const auto alerts_at = [&](wire::Flow flow) {
        return said<wire::Alert>(bee.on(WorkloadReport{1, std::move(flow)}));
    };
    CHECK(alerts_at({wire::InputState::ok, wire::OutputState::ok}).empty());
    const auto begun = alerts_at({wire::InputState::ok, wire::OutputState::downstream_error});
    REQUIRE(begun.size() == 1);
    CHECK(begun[0].code == "io.downstream-error");
    CHECK(begun[0].level == wire::AlertLevel::error);
    CHECK(alerts_at({wire::InputState::ok, wire::OutputState::unknown}).empty());
    CHECK(alerts_at({wire::InputState::ok, wire::OutputState::downstream_error}).empty());
    const auto over = alerts_at({wire::InputState::out_of_data, wire::OutputState::ok});
    REQUIRE(over.size() == 2);
    CHECK(over[0].code == "io.out-of-data");
    CHECK(over[1].code == "io.recovered");
    CHECK(over[1].message == "alpha-processor-1: output is ok again after downstream-error");
}

TEST_CASE("a bee is off before its settings change and on after") {
    BeeUnderTest bee;
    const auto order = [](const std::vector<ControlCommand>& commands) {
        std::string out;
        for (const auto& command : commands) {
            if (std::holds_alternative<Reconfigure>(command)) out += "settings ";
            const auto* set = std::get_if<SetWorkload>(&command);
            if (set != nullptr) out += set->enabled ? "on " : "off ";
        }
        return out;
    };
    CHECK(order(bee.told({{"enabled", true}, {"rate", 5}}, "a")) == "settings on ");
    CHECK(order(bee.told({{"enabled", true}, {"rate", 6}}, "b")) == "settings ");
    CHECK(order(bee.told({{"enabled", false}, {"rate", 7}}, "c")) == "off settings ");
    CHECK(order(bee.told({{"enabled", true}}, "d")) == "on ");
    CHECK(order(bee.told({}, "e")).empty());
}

TEST_CASE("items that fail are told once with the reason, and once when they go well again") {
    BeeUnderTest bee;
    const auto alerts = [&](const std::string& failing) {
        return said<wire::Alert>(bee.on(WorkloadReport{.failing = failing}));
    };
    CHECK(alerts("").empty());
    const auto begun = alerts("no such key");
    REQUIRE(begun.size() == 1);
    CHECK(begun[0].code == "worker.items-failing");
    CHECK(begun[0].message == "alpha-processor-1: items fail: no such key");
    CHECK(alerts("another reason").empty());
    const auto over = alerts("");
    REQUIRE(over.size() == 1);
    CHECK(over[0].code == "worker.items-recovered");
    CHECK(alerts("").empty());
}

TEST_CASE("a message that is none is told of once, until there was none for a while") {
    BeeUnderTest bee;
    const auto alerts = [&] {
        return said<wire::Alert>(bee.on(MessageRejected{"signal.x", "no such type"}));
    };
    REQUIRE(alerts().size() == 1);
    CHECK(alerts().empty());
    bee.advance(61s);
    const auto again = alerts();
    REQUIRE(again.size() == 1);
    CHECK(again[0].code == "message.rejected");
    CHECK(again[0].message == "a message was rejected: no such type");
}
