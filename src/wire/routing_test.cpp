#include "wire/bindings.hpp"
#include "wire/envelope.hpp"
#include "wire/routing.hpp"
#include "wire/topic.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::wire;

namespace {

const auto alpha = *SwarmId::parse("alpha");
const auto processor = *Role::parse("processor");
const auto marshal = *InstanceId::parse("alpha-marshal");
const auto bee = *InstanceId::parse("alpha-processor-1");
const Scope at_controller{alpha, controller_role(), marshal};
const Scope at_bee{alpha, processor, bee};

bool reaches(const std::vector<std::string>& bindings, const RoutingKey& key) {
    const std::string text = to_text(key);
    return std::ranges::any_of(
        bindings, [&](const std::string& binding) { return topic_matches(binding, text); });
}

} // namespace

TEST_CASE("each family has its own form of key") {
    CHECK(
        to_text(RoutingKey::signal(Command::swarm_start, at_controller)) ==
        "signal.swarm-start.alpha.swarm-controller.alpha-marshal");
    CHECK(
        to_text(RoutingKey::outcome(Command::swarm_create, at_controller)) ==
        "event.outcome.swarm-create.alpha.swarm-controller.alpha-marshal");
    CHECK(
        to_text(RoutingKey::full_status(at_bee)) ==
        "event.metric.status-full.alpha.processor.alpha-processor-1");
    CHECK(to_text(RoutingKey::delta_status({})) == "event.metric.status-delta.ALL.ALL.ALL");
    CHECK(
        to_text(RoutingKey::alert(at_bee)) ==
        "event.alert.alert.alpha.processor.alpha-processor-1");
}

TEST_CASE("what is not a key of the contract is refused with the word that is wrong") {
    const auto why = [](std::string_view text) { return parse_routing_key(text).error().detail; };
    const auto says = [&](std::string_view text, std::string_view reason) {
        CHECK_MESSAGE(why(text).find(reason) != std::string::npos, why(text));
    };
    says("", "must start with 'signal.' or 'event.'");
    says("sig.swarm-start.a.b.c", "must start with 'signal.' or 'event.'");
    says("event.log.x.a.b.c", "'log' is not one of outcome, metric, alert");
    says("signal.swarm-create.a.b.c", "'swarm-create' is not a type of signal");
    says("event.outcome.status-request.a.b.c", "'status-request' is not a type of outcome");
    says("signal.swarm-start.a.b", "must end with <swarmId>.<role>.<instance>");
    says("signal.swarm-start.a.b.c.d", "must end with <swarmId>.<role>.<instance>");
    says("signal.swarm-start..b.c", "swarmId must not be empty");
    says("signal.swarm-start.a.*.c", "role '*' must start with");
    says("signal.swarm-start.a.b." + std::string(300, 'c'), "at most 255");
    says("signal.\x01", "'signal.?'");
}

TEST_CASE("a message that came by another key than its own is found out") {
    const auto envelope =
        Envelope::status({*Origin::parse("processor:p"), {}}, at_bee, StatusDelta{.enabled = true});
    CHECK(check_agreement(RoutingKey::delta_status(at_bee), envelope).has_value());
    const auto part = [&](const RoutingKey& key) {
        const std::string why = check_agreement(key, envelope).error().detail;
        return why.substr(0, why.find(' '));
    };
    CHECK(part(RoutingKey::delta_status({})) == "scope");
    CHECK(part(RoutingKey::full_status(at_bee)) == "type");
    CHECK(part(RoutingKey::alert(at_bee)) == "kind");
}

TEST_CASE("a controller hears its lifecycle, its bees' status, and nothing of other swarms") {
    const auto bindings = controller_bindings(alpha, marshal);
    for (const Command command : all_commands) {
        if (has_signal(command))
            CHECK(reaches(bindings, RoutingKey::signal(command, at_controller)));
    }
    CHECK(reaches(bindings, RoutingKey::full_status(at_bee)));
    CHECK(reaches(bindings, RoutingKey::delta_status(at_bee)));
    CHECK(reaches(bindings, RoutingKey::signal(Command::config_update, {.swarm = alpha})));
    CHECK(!reaches(bindings, RoutingKey::signal(Command::status_request, {.swarm = alpha})));
    const Scope elsewhere{*SwarmId::parse("beta"), controller_role(), marshal};
    CHECK(!reaches(bindings, RoutingKey::signal(Command::swarm_stop, elsewhere)));
    CHECK(!reaches(bindings, RoutingKey::full_status(elsewhere)));
}

TEST_CASE("a bee hears what is meant for it, its role or its swarm") {
    const auto bindings = worker_bindings(alpha, processor, bee);
    for (const Scope& target : {at_bee, Scope{alpha, processor}, Scope{.swarm = alpha}}) {
        CHECK(reaches(bindings, RoutingKey::signal(Command::config_update, target)));
        CHECK(reaches(bindings, RoutingKey::signal(Command::status_request, target)));
    }
    CHECK(!reaches(bindings, RoutingKey::signal(Command::config_update, at_controller)));
    CHECK(!reaches(bindings, RoutingKey::signal(Command::swarm_start, at_controller)));
    CHECK(!reaches(bindings, RoutingKey::full_status(at_bee)));
}

TEST_CASE("the orchestrator hears outcomes, alerts and controllers, but no bee's heartbeat") {
    const auto bindings = orchestrator_bindings();
    CHECK(reaches(bindings, RoutingKey::outcome(Command::config_update, at_bee)));
    CHECK(reaches(bindings, RoutingKey::alert(at_bee)));
    CHECK(reaches(bindings, RoutingKey::delta_status(at_controller)));
    CHECK(!reaches(bindings, RoutingKey::delta_status(at_bee)));
    CHECK(!reaches(bindings, RoutingKey::signal(Command::swarm_start, at_controller)));
}
