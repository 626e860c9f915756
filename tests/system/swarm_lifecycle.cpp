#include "tests/system/swarm_lifecycle.hpp"

#include <doctest/doctest.h>

namespace hive::tests {

using orchestrator::Phase;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

void check_traffic(SwarmScene& scene) {
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
    for (const auto& [correlation, count] : scene.spy().outcomes()) {
        CHECK_MESSAGE(count == 1, correlation << " has " << count << " outcomes");
    }
}

} // namespace

void lives_from_create_to_remove(SwarmScene& scene) {
    const auto created = scene.create("alpha", chain_of(4));
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    CHECK(scene.phase("alpha") == Phase::ready);
    CHECK(scene.running().size() == 5);

    // Ready is not running: what is sent waits.
    scene.send("ph.work.alpha.in", 10);
    CHECK(scene.outside().topology().inspect("ph.work.alpha.in").value().depth == 10);

    CHECK(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
    CHECK(scene.reaches("alpha", Phase::running));
    const auto items = scene.take("ph.work.alpha.out", 10);
    REQUIRE(items.size() == 10);
    CHECK(items.front().payload() == "0.1.2.3.4");
    CHECK(items.front().hops.size() == 4);
    CHECK(items.front().steps.back().by.instance() == "alpha-echo-4");

    CHECK(scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
    CHECK(scene.reaches("alpha", Phase::stopped));
    scene.send("ph.work.alpha.in", 3);
    CHECK(scene.outside().topology().inspect("ph.work.alpha.in").value().depth == 3);
    CHECK(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
    CHECK(scene.take("ph.work.alpha.out", 3).size() == 3);

    CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    CHECK(scene.reaches("alpha", Phase::removed));
    CHECK(scene.running().empty());
    for (const char* queue :
         {"ph.work.alpha.in", "ph.work.alpha.out", "ph.work.alpha.in.dead",
          "ph.control.alpha.swarm-controller.alpha-marshal",
          "ph.control.alpha.echo.alpha-echo-1"}) {
        CHECK_MESSAGE(!scene.is_there(queue), queue << " remains");
    }
    check_traffic(scene);
}

void remove_wins_over_create(SwarmScene& scene) {
    const auto id = swarm_id("hasty");
    REQUIRE(scene.ask(orchestrator::CreateAsked{
        .swarm = id, .text = chain_of(3), .plan = {}, .attempt = {"c1", "c1"}}));
    CHECK(scene.wish("hasty", Wish::removed).status == OutcomeStatus::removed);
    CHECK(scene.reaches("hasty", Phase::removed));
    CHECK(scene.running().empty());
    CHECK(!scene.is_there("ph.work.hasty.in"));
    check_traffic(scene);
}

void bad_config_is_refused(SwarmScene& scene) {
    REQUIRE(scene.create("beta", chain_of(2)).status == OutcomeStatus::ready);
    REQUIRE(scene.wish("beta", Wish::running).status == OutcomeStatus::running);
    const wire::Scope one{
        swarm_id("beta"), Role::parse("echo").value(), InstanceId::parse("beta-echo-1").value()};
    CHECK(scene.configure(one, {{"text", "!"}}).status == OutcomeStatus::applied);
    scene.send("ph.work.beta.in", 1);
    CHECK(scene.take("ph.work.beta.out", 1).front().payload() == "0!.2");

    const auto refused = scene.configure(one, {{"txet", "?"}});
    CHECK(refused.status == OutcomeStatus::failed);
    scene.send("ph.work.beta.in", 1);
    CHECK(scene.take("ph.work.beta.out", 1).front().payload() == "0!.2");
    CHECK(scene.phase("beta") == Phase::running);
    CHECK(scene.wish("beta", Wish::removed).status == OutcomeStatus::removed);
    check_traffic(scene);
}

void unknown_role_fails_the_creation(SwarmScene& scene) {
    json::object text = chain_of(2);
    text["bees"].as_array()[1].as_object()["role"] = "juggler";
    const auto created = scene.create("gamma", text);
    CHECK(created.status == OutcomeStatus::failed);
    CHECK_MESSAGE(created.reason.find("juggler") != std::string::npos, created.reason);
    // The reason itself, from the runtime or from the last words of the process.
    REQUIRE(scene.eventually([&] {
        return !scene.spy().alerts(std::string{wire::alert_code::controller_runtime_error}).empty();
    }));
    const auto alert = std::get<wire::Alert>(
        scene.spy().alerts(std::string{wire::alert_code::controller_runtime_error}).front().body);
    const auto told = alert.message + to_text(alert.context.value_or(json::object{}));
    CHECK_MESSAGE(told.find("there is no bee for the role 'juggler'") != std::string::npos, told);
    CHECK(scene.phase("gamma") == Phase::failed);
    CHECK(!scene.running().empty()); // kept for inspection
    CHECK(scene.wish("gamma", Wish::removed).status == OutcomeStatus::removed);
    CHECK(scene.running().empty());
    check_traffic(scene);
}

} // namespace hive::tests
