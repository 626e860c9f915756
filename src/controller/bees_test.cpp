// What bees do to the marshal: they end, they cannot be launched, they refuse, they report.
#include "controller/decide.hpp"
#include "tests/support/marshal_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::controller;
using namespace std::chrono_literals;

namespace {

const InstanceId gen = MarshalUnderTest::id("alpha-gen-1");
constexpr std::string_view on_failure = R"({"policy": "on-failure", "backoff": "2s", "max": 2})";

} // namespace

TEST_CASE("a bee that exits is kept as it is, and its alert has the end of its log") {
    MarshalUnderTest marshal;
    marshal.make_running();
    const auto launches = marshal.count<Launch>();
    marshal.on(Exited{gen, "exit code 3", true, {"out of memory"}});
    marshal.pass(60s);
    CHECK(marshal.count<Launch>() == launches);
    REQUIRE(marshal.alerts("worker.runtime-error") == 1);
    const auto alert = marshal.alerts_with("worker.runtime-error")[0];
    CHECK(alert.message == "alpha-gen-1 exited: exit code 3");
    CHECK(alert.context->at("log").as_array().at(0) == "out of memory");
    CHECK(marshal.state.health == "Degraded");
    CHECK(marshal.aggregate().at("healthReason") == "alpha-gen-1: exit code 3");
}

TEST_CASE("a bee that says all is well is told of as information, and not launched again") {
    MarshalUnderTest marshal;
    marshal.make_running(pipeline_with(on_failure));
    const auto launches = marshal.count<Launch>();
    marshal.on(Exited{gen, "exit code 0", false});
    marshal.pass(10s);
    CHECK(marshal.count<Launch>() == launches);
    CHECK(marshal.alerts_with("worker.exited").at(0).level == wire::AlertLevel::info);
}

TEST_CASE("a bee whose policy is on-failure is launched again, later each time, up to its limit") {
    MarshalUnderTest marshal;
    marshal.make_running(pipeline_with(on_failure));
    const auto launches = marshal.count<Launch>();
    marshal.on(Exited{gen, "exit code 3"});
    marshal.pass(1s);
    CHECK(marshal.count<Launch>() == launches);
    marshal.pass(1s);
    CHECK(marshal.count<Launch>() == launches + 1);
    marshal.on(Exited{gen, "exit code 3"});
    marshal.pass(3s);
    CHECK(marshal.count<Launch>() == launches + 1);
    marshal.pass(1s);
    CHECK(marshal.count<Launch>() == launches + 2);
    marshal.on(Exited{gen, "exit code 3"});
    marshal.pass(30s);
    CHECK(marshal.count<Launch>() == launches + 2);
    CHECK(marshal.alerts("worker.runtime-error") == 3);
    CHECK(marshal.state.bees[1].restarts == 2);
}

TEST_CASE("a bee that is launched again gets its configuration and runs again") {
    MarshalUnderTest marshal;
    marshal.make_running(pipeline_with(on_failure));
    marshal.on(Exited{gen, "exit code 3"});
    CHECK_FALSE(marshal.state.bees[1].enabled);
    marshal.pass(2s);
    marshal.bee_says(marshal.bee("gen"), false, {{"lastConfig", ""}});
    CHECK(marshal.state.bees[1].enabled);
    CHECK(marshal.state.health == "Healthy");
}

TEST_CASE("what a bee said before it exited does not bring it back") {
    MarshalUnderTest marshal;
    marshal.make_running();
    const auto before = marshal.moment.wall;
    marshal.on(Exited{gen, "exit code 3"});
    marshal.on(Heard{wire::Envelope::status(
        {wire::Origin::parse("bee:x").value(), before}, marshal.bee("gen"),
        wire::StatusDelta{.enabled = true})});
    CHECK(marshal.state.health == "Degraded");
    CHECK_FALSE(marshal.state.bees[1].launched);
}

TEST_CASE("a failed launch is in the outcome of the template and its alert, with the log") {
    MarshalUnderTest marshal;
    marshal.runtime_works = false;
    marshal.told(wire::Signal::swarm_template(pipeline()), "t");
    marshal.on(LaunchFailed{gen, "no such program", {"exec: not found"}});
    CHECK(marshal.outcome_of("t") == wire::OutcomeStatus::failed);
    CHECK(marshal.reason_of("t") == "alpha-gen-1: no such program");
    const auto alerts = marshal.alerts_with("controller.runtime-error");
    REQUIRE(alerts.size() == 1);
    CHECK(alerts[0].context->at("correlationId") == "t");
    CHECK(alerts[0].context->at("log").as_array().at(0) == "exec: not found");
    CHECK(marshal.alerts("worker.runtime-error") == 0);
}

TEST_CASE("a bee that ends while it is started fails the start at once with how it ended") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_start(), "s");
    marshal.on(Exited{gen, "killed by SIGSEGV"});
    CHECK(marshal.outcome_of("s") == wire::OutcomeStatus::failed);
    CHECK(marshal.reason_of("s") == "alpha-gen-1: killed by SIGSEGV");
}

TEST_CASE("a bee that refuses the configuration of its swarm fails it once, with the reason") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.refusing = {"alpha-proc-1"};
    marshal.told({.swarm = marshal.alpha}, wire::Signal::config_update({{"rate", -1}}), "x");
    CHECK(marshal.outcome_of("x") == wire::OutcomeStatus::failed);
    CHECK(marshal.reason_of("x") == "alpha-proc-1: bad rate");
    CHECK(marshal.alerts("controller.runtime-error") == 1);
    CHECK(marshal.state.bees[0].config.empty());
    CHECK(marshal.state.bees[0].acknowledged);
    marshal.said.clear();
    marshal.pass(10s);
    CHECK(marshal.outcomes_of("x").empty());
    CHECK(marshal.alerts("controller.runtime-error") == 0);
}

TEST_CASE("a bee that refuses its first configuration fails the template") {
    auto text = pipeline();
    text["bees"].as_array()[1].as_object()["config"] = json::object{{"rate", -1}};
    MarshalUnderTest marshal;
    marshal.refusing = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_template(text), "t");
    CHECK(marshal.outcome_of("t") == wire::OutcomeStatus::failed);
    CHECK(marshal.reason_of("t") == "alpha-gen-1: refused its configuration: bad rate");
}

TEST_CASE("queues are inspected every two seconds; a missing one is missing, not empty") {
    MarshalUnderTest marshal;
    marshal.make_ready();
    marshal.pass(10s);
    CHECK(marshal.count<InspectQueues>() == 5);
    const std::string raw = "ph.work.alpha.raw";
    marshal.on(QueuesInspected{{{raw, wire::QueueDepth{7, 1, 12}}}});
    auto stats = marshal.aggregate().at("queueStats").at(raw).as_object();
    CHECK(stats == json::object{{"depth", 7}, {"consumers", 1}, {"oldestAgeSec", 12}});
    const auto declared = marshal.count<Declare>();
    marshal.on(QueuesInspected{{{raw, std::nullopt}}});
    marshal.on(QueuesInspected{{{raw, std::nullopt}}});
    CHECK(marshal.aggregate().at("queueStats").at(raw).is_null());
    CHECK(marshal.alerts("io.queue-missing") == 1);
    CHECK(marshal.count<Declare>() == declared + 1);
    marshal.on(QueuesInspected{{{raw, wire::QueueDepth{}}}});
    CHECK(marshal.alerts("io.queues-back") == 1);
}

TEST_CASE("a full status lists every worker with what people want to know of it") {
    MarshalUnderTest marshal;
    marshal.make_running();
    const auto aggregate = marshal.aggregate();
    const auto worker = aggregate.at("workers").as_array().at(1).as_object();
    CHECK(worker.at("beeId") == "gen");
    CHECK(worker.at("role") == "gen");
    CHECK(worker.at("instance") == "alpha-gen-1");
    CHECK(worker.at("health") == "healthy");
    CHECK(worker.at("enabled") == true);
    CHECK(worker.at("restarts") == 0);
    CHECK(
        aggregate.at("totals") ==
        json::object{{"total", 2}, {"healthy", 2}, {"running", 2}, {"enabled", 2}});
}

TEST_CASE("a small status has what each bee does and what waits as well") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.on(QueuesInspected{{{"ph.work.alpha.raw", wire::QueueDepth{7, 1, 12}}}});
    marshal.deaf = {"alpha-gen-1"}; // says this and nothing else
    marshal.on(Heard{wire::Envelope::status(
        {wire::Origin::parse("bee:x").value(), marshal.moment.wall + 1ms}, marshal.bee("gen"),
        wire::StatusDelta{.enabled = true, .tps = 40})});
    marshal.said.clear();
    marshal.pass(10s);
    const auto small = std::ranges::find_if(marshal.said, [](const wire::Envelope& said) {
        return std::holds_alternative<wire::StatusDelta>(said.body);
    });
    REQUIRE(small != marshal.said.end());
    const auto context = std::get<wire::StatusDelta>(small->body).context.value();
    CHECK(context.at("rates") == json::object{{"gen", 40}, {"proc", 0}});
    CHECK(context.at("depths") == json::object{{"ph.work.alpha.raw", 7}});
}

TEST_CASE("a swarm that lost a bee is stopped at once and can be started again") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.on(Exited{gen, "exit code 3"});
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_stop(), "stop");
    CHECK(marshal.outcome_of("stop") == wire::OutcomeStatus::stopped);
    marshal.deaf.clear();
    const auto launches = marshal.count<Launch>();
    marshal.told(wire::Signal::swarm_start(), "again");
    CHECK(marshal.count<Launch>() == launches + 1);
    CHECK(marshal.outcome_of("again") == wire::OutcomeStatus::running);
}

TEST_CASE("a start of a running swarm launches the bee it lost") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.on(Exited{gen, "exit code 3"});
    const auto launches = marshal.count<Launch>();
    marshal.told(wire::Signal::swarm_start(), "again");
    CHECK(marshal.count<Launch>() == launches + 1);
    CHECK(marshal.outcome_of("again") == wire::OutcomeStatus::running);
}

TEST_CASE("a refusal fails the config-update that it is about, and others go on") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.deaf = {"alpha-gen-1"};
    marshal.told({.swarm = marshal.alpha}, wire::Signal::config_update({{"size", 1}}), "first");
    CHECK(marshal.outcomes_of("first").empty()); // one bee has not acknowledged it
    marshal.refusing = {"alpha-proc-1"};
    marshal.told({.swarm = marshal.alpha}, wire::Signal::config_update({{"rate", -1}}), "second");
    CHECK(marshal.outcome_of("second") == wire::OutcomeStatus::failed);
    CHECK(marshal.outcomes_of("first").empty());
    const auto errors = marshal.aggregate().at("recentErrors").as_array();
    REQUIRE_FALSE(errors.empty());
    CHECK(errors[0].at("subject") == "proc/alpha-proc-1");
    CHECK(errors[0].at("correlationId") == "second");
    marshal.deaf.clear();
    marshal.pass(5s);
    CHECK(marshal.outcome_of("first") == wire::OutcomeStatus::applied);
}

TEST_CASE("every error of a bee names what led to it") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.on(Exited{gen, "exit code 3", true});
    const auto aggregate = marshal.aggregate();
    for (const auto& error : aggregate.at("recentErrors").as_array()) {
        CHECK_FALSE(error.at("correlationId").as_string().empty());
    }
}

TEST_CASE("a bee that is ended because it did not stop is not well from that moment on") {
    MarshalUnderTest marshal;
    marshal.make_running();
    marshal.deaf = {"alpha-gen-1"};
    marshal.told(wire::Signal::swarm_stop(), "x");
    marshal.pass(30s);
    REQUIRE(marshal.alerts("worker.forced-stop") == 1);
    CHECK(marshal.outcome_of("x") == wire::OutcomeStatus::stopped);
    CHECK(marshal.state.health == "Degraded");
    marshal.on(Exited{gen, "ended", false});
    CHECK(marshal.state.health == "Degraded");
    CHECK(
        marshal.aggregate().at("healthReason") ==
        "alpha-gen-1: it did not stop in time and was ended");
    marshal.deaf.clear();
    marshal.told(wire::Signal::swarm_start(), "y");
    marshal.bee_says(marshal.bee("gen"), false, {{"lastConfig", ""}});
    CHECK(marshal.outcome_of("y") == wire::OutcomeStatus::running);
    CHECK(marshal.state.health == "Healthy");
}

TEST_CASE("messages that are none are told of once, until there was none for a while") {
    MarshalUnderTest marshal;
    marshal.make_running();
    for (int i = 0; i < 3; ++i) marshal.on(Rejected{"signal.nonsense", "no such type"});
    REQUIRE(marshal.alerts("message.rejected") == 1);
    const auto alert = marshal.alerts_with("message.rejected")[0];
    CHECK(alert.context->at("reason") == "no such type");
    CHECK(alert.context->at("key") == "signal.nonsense");
    marshal.pass(61s);
    marshal.on(Rejected{"signal.nonsense", "no such type"});
    CHECK(marshal.alerts("message.rejected") == 2);
}

TEST_CASE("a full status says where the controller hears") {
    MarshalUnderTest marshal;
    marshal.state.control_wiring = {.in = {"ph.control.alpha"}, .routes = {"signal.#"}};
    marshal.told(wire::Signal::status_request(), "status");
    const auto& full = std::get<wire::StatusFull>(marshal.said.back().body);
    CHECK(full.io.control->in == std::vector<std::string>{"ph.control.alpha"});
}
