#include "orchestrator/decide.hpp"
#include "tests/support/queen_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::orchestrator;
using namespace std::chrono_literals;
using wire::OutcomeStatus;

namespace {

wire::Scope role(const QueenUnderTest& queen, std::string_view name) {
    return {.swarm = queen.alpha, .role = Role::parse(name).value()};
}

} // namespace

TEST_CASE("a config-update to a role goes to each of its bees and has one end") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(role(queen, "processor"), {{"rate", 5}}, "x");
    const auto sent = queen.all_sent(wire::Command::config_update);
    REQUIRE(sent.size() == 2);
    CHECK(sent[0].correlation_id == "x");
    CHECK(sent[1].scope == queen.bee("processor", 2));
    queen.outcome_of(sent[1].scope, *sent[1].correlation_id, wire::Outcome::applied(true));
    CHECK(queen.ends_of("x").empty());
    queen.outcome_of(sent[0].scope, "x", wire::Outcome::applied(true));
    REQUIRE(queen.ends_of("x").size() == 1);
    CHECK(queen.ends_of("x")[0].status == OutcomeStatus::applied);
    CHECK(queen.ends_of("x")[0].context.at("answers").as_object().size() == 2);
}

TEST_CASE("one bee that refuses fails the whole config-update with its reason") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(role(queen, "processor"), {{"rate", -5}}, "x");
    const auto sent = queen.all_sent(wire::Command::config_update);
    queen.outcome_of(
        sent[0].scope, "x",
        wire::Outcome::failed(
            wire::Command::config_update, json::object{{"reason", "rate: must not be negative"}}));
    queen.outcome_of(sent[1].scope, *sent[1].correlation_id, wire::Outcome::applied(true));
    REQUIRE(queen.ends_of("x").size() == 1);
    CHECK(queen.ends_of("x")[0].status == OutcomeStatus::failed);
    CHECK(queen.ends_of("x")[0].reason == "alpha-processor-1: rate: must not be negative");
}

TEST_CASE("an unknown role or instance is refused by the names of those there are") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(role(queen, "moderator"), {{"rate", 5}}, "x");
    queen.configure(queen.bee("processor", 9), {{"rate", 5}}, "y");
    REQUIRE(queen.refused.size() == 2);
    CHECK(queen.refused[0].code == Errc::not_found);
    CHECK(
        queen.refused[0].reason ==
        "swarm 'alpha' has no bee with the role 'moderator'; there are alpha-processor-1, "
        "alpha-processor-2, alpha-generator-1");
    CHECK(queen.refused[1].reason.starts_with("swarm 'alpha' has no bee 'alpha-processor-9'"));
}

TEST_CASE("a bee is turned on alone only while its swarm runs") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_lists("Ready");
    queen.configure(queen.bee("processor", 1), {{"enabled", true}}, "x");
    REQUIRE(queen.refused.size() == 1);
    CHECK(queen.refused[0].code == Errc::conflict);
}

TEST_CASE("a config-update that was overtaken is sent again, one at a closed gate ends") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(queen.bee("processor", 1), {{"rate", 5}}, "x");
    queen.outcome_of(
        queen.bee("processor", 1), "x",
        wire::Outcome::not_ready(wire::Command::config_update, {{"overtaken", true}}));
    CHECK(queen.ends_of("x").empty());
    queen.pass(5s);
    CHECK(queen.sent(wire::Command::config_update));
    queen.configure({.swarm = queen.alpha}, {{"rate", 5}}, "y");
    queen.outcome("y", wire::Outcome::not_ready(wire::Command::config_update, {{"ready", false}}));
    CHECK(queen.ends_of("y").at(0).status == OutcomeStatus::not_ready);
}

TEST_CASE("a config-update that nobody answers ends by name of who was silent") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(queen.bee("processor", 1), {{"rate", 5}}, "x");
    queen.pass(60s);
    REQUIRE(queen.ends_of("x").size() == 1);
    CHECK_FALSE(queen.ends_of("x")[0].status);
    CHECK(
        queen.ends_of("x")[0].reason ==
        "config-update timed out: no answer from alpha-processor-1");
}

TEST_CASE("a removal ends the config-updates of its swarm") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure({.swarm = queen.alpha}, {{"rate", 5}}, "x");
    queen.ask(Wish::removed, "r");
    REQUIRE(queen.ends_of("x").size() == 1);
    CHECK(queen.ends_of("x")[0].reason == "the swarm is being removed");
}

TEST_CASE("all controllers are paused by one message, and those who missed it by their own") {
    QueenUnderTest queen;
    const auto beta = SwarmId::parse("beta").value();
    queen.make_running();
    queen.create(beta, "b");
    queen.configure({.role = wire::controller_role()}, {{"enabled", false}}, "p");
    const auto sent = queen.all_sent(wire::Command::config_update);
    REQUIRE(sent.size() == 1);
    CHECK(to_text(sent[0].scope) == "ALL.swarm-controller.ALL");
    queen.outcome("p", wire::Outcome::applied(false));
    CHECK(queen.ends_of("p").empty());
    queen.pass(5s);
    const auto again = queen.sent(wire::Command::config_update);
    REQUIRE(again);
    CHECK(to_text(again->scope) == "beta.swarm-controller.beta-marshal");
    queen.outcome_of(
        again->scope, *again->correlation_id,
        wire::Outcome::not_ready(wire::Command::config_update, {{"ready", false}}));
    REQUIRE(queen.ends_of("p").size() == 1);
    CHECK(queen.ends_of("p")[0].swarm.is_all());
    CHECK(queen.ends_of("p")[0].status == OutcomeStatus::not_ready);
}

TEST_CASE("a controller is told whether its loops run and what its guards do, and nothing else") {
    QueenUnderTest queen;
    queen.make_running();
    const json::object guards{{"bufferGuard", {{"targetDepth", 50}}}};
    for (const json::object& wrong :
         {json::object{{"rate", 5}}, json::object{}, json::object{{"enabled", "yes"}},
          json::object{{"trafficPolicy", 5}}, json::object{{"trafficPolicy", json::object{}}},
          json::object{{"trafficPolicy", guards}, {"rate", 5}}}) {
        queen.refused.clear();
        queen.configure(queen.controller(), wrong, "x");
        REQUIRE(queen.refused.size() == 1);
        CHECK(queen.refused[0].code == Errc::invalid);
    }
    queen.configure(queen.controller(), {{"trafficPolicy", guards}}, "g");
    const auto sent = queen.sent(wire::Command::config_update);
    REQUIRE(sent);
    CHECK(std::get<wire::Signal>(sent->body).data.at("trafficPolicy") == guards);
    queen.configure(queen.controller(), {{"enabled", false}}, "y");
    CHECK(queen.sent(wire::Command::config_update)->correlation_id == "y");
}

TEST_CASE("a queen that restarts says again what has not been answered, under the same key") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(role(queen, "processor"), {{"rate", 5}}, "x");
    QueenUnderTest next = queen.next_life();
    const auto sent = next.all_sent(wire::Command::config_update);
    REQUIRE(sent.size() == 2);
    for (const auto& each : sent) {
        CHECK(each.correlation_id != "x"); // which may have been answered already
        CHECK(each.idempotency_key == "x");
        next.outcome_of(each.scope, *each.correlation_id, wire::Outcome::applied(true));
    }
    REQUIRE(next.ends_of("x").size() == 1);
    CHECK(next.ends_of("x")[0].status == OutcomeStatus::applied);
    CHECK(next.next_life().all_sent(wire::Command::config_update).empty());
}

TEST_CASE("a config-update of an earlier life to a swarm that goes has an end") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure({.swarm = queen.alpha}, {{"rate", 5}}, "x");
    queen.kept.erase(queen.alpha);
    const QueenUnderTest next = queen.next_life();
    REQUIRE(next.ends_of("x").size() == 1);
    CHECK_FALSE(next.ends_of("x")[0].status);
    CHECK(next.all_sent(wire::Command::config_update).empty());
}

TEST_CASE("a config-update without any answer is answered by the queen, with one alert") {
    QueenUnderTest queen;
    queen.make_running();
    queen.configure(role(queen, "processor"), {{"rate", 5}}, "x");
    queen.pass(60s);
    REQUIRE(queen.answers().size() == 1);
    CHECK(queen.answers()[0].correlation_id == "x");
    CHECK(std::get<wire::Outcome>(queen.answers()[0].body).status == OutcomeStatus::failed);
    CHECK(queen.alerts().size() == 1);
    CHECK(queen.ends_of("x").size() == 1);

    queen.configure(role(queen, "processor"), {{"rate", 5}}, "y");
    queen.outcome_of(queen.bee("processor", 1), "y", wire::Outcome::applied(true));
    queen.pass(60s); // the other bee is silent, but the id has its outcome
    CHECK(queen.answers().empty());
    CHECK(queen.ends_of("y").size() == 1);
}
