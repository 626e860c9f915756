#include "orchestrator/decide.hpp"
#include "orchestrator/stored.hpp"
#include "tests/support/queen_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::orchestrator;
using namespace std::chrono_literals;

TEST_CASE("a creation is stored, launches a marshal and ends Ready only when all is applied") {
    QueenUnderTest queen;
    queen.create();
    CHECK(queen.count<Save>() == 1);
    CHECK(queen.count<LaunchMarshal>() == 1);
    queen.marshal_says("New");
    REQUIRE(queen.sent(wire::Command::swarm_template));
    queen.outcome(
        "q-2", wire::Outcome::succeeded(
                   wire::Command::swarm_template,
                   json::object{{"swarmStatus", "Ready"}, {"initialized", false}}));
    CHECK(queen.sent(wire::Command::swarm_plan));
    CHECK(queen.count<AnnounceCreated>() == 0);
    queen.marshal_says("Ready");
    CHECK(queen.count<AnnounceCreated>() == 1);
    CHECK(queen.swarm().create.decided == wire::OutcomeStatus::ready);
}

TEST_CASE("a command is sent again with a new correlation id and the same key until a reaction") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("New");
    const auto first = queen.sent(wire::Command::swarm_template);
    queen.pass(5s);
    const auto second = queen.sent(wire::Command::swarm_template);
    REQUIRE(second);
    CHECK(first->correlation_id != second->correlation_id);
    CHECK(first->idempotency_key == second->idempotency_key);
}

TEST_CASE("a remove right after a create wins and fails the creation") {
    QueenUnderTest queen;
    queen.create();
    queen.ask(Wish::removed, "r");
    CHECK(queen.swarm().create.decided == wire::OutcomeStatus::failed);
    queen.marshal_says("New");
    const auto remove = queen.sent(wire::Command::swarm_remove);
    REQUIRE(remove);
    CHECK(remove->correlation_id == "r");
    queen.outcome("r", wire::Outcome::succeeded(wire::Command::swarm_remove));
    CHECK(queen.count<RemoveComponents>() == 1);
    queen.on(ComponentsGone{queen.alpha});
    CHECK(queen.count<RemoveObjects>() == 1);
    queen.on(ObjectsGone{queen.alpha});
    CHECK(queen.swarm().phase == Phase::removed);
}

TEST_CASE("a marshal that started anew is given the template again, then the start") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    CHECK(queen.sent(wire::Command::swarm_start)->correlation_id == "s");
    queen.marshal_says("New", "m2");
    CHECK(queen.sent(wire::Command::swarm_template));
}

TEST_CASE("a queen that restarts adopts living swarms by their statuses") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    const auto stored = to_stored(queen.swarm());
    QueenUnderTest next;
    next.state.swarms.emplace(queen.alpha, from_stored(json::value(stored)).value());
    next.on(Restarted{});
    CHECK(next.sent(wire::Command::status_request));
    next.marshal_says("Running");
    CHECK(next.swarm().phase == Phase::running);
    CHECK_FALSE(next.sent(wire::Command::swarm_start));
}

TEST_CASE("a failed launch fails the creation with its reason and keeps the swarm") {
    QueenUnderTest queen;
    queen.create();
    queen.on(MarshalFailed{queen.alpha, "no such binary"});
    CHECK(queen.swarm().phase == Phase::failed);
    CHECK(queen.swarm().create.reason == "no such binary");
    CHECK(queen.count<RemoveComponents>() == 0);
}

TEST_CASE("statuses enter the journal only as transitions") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    CHECK(queen.count<Record>() == 1);
    queen.marshal_says("Ready");
    CHECK(queen.count<Record>() == 0);
}

TEST_CASE("every entry of a swarm's journal carries its run") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("New");
    REQUIRE_FALSE(queen.entries().empty());
    for (const auto& entry : queen.entries()) CHECK(entry.run == "run-c");
}

TEST_CASE("an event is looked at for its own swarm only, a tick for all") {
    QueenUnderTest queen;
    const auto beta = SwarmId::parse("beta").value();
    queen.create();
    queen.create(beta, "b");
    queen.moment.now += 6s; // a status-request of nobody is due, but commands of both would be
    queen.marshal_says("New");
    for (const auto& envelope : queen.all_sent(wire::Command::swarm_template)) {
        CHECK(envelope.scope.swarm.text() == "alpha");
    }
    CHECK(queen.all_sent(wire::Command::swarm_template).size() == 1);
}

TEST_CASE("a removed swarm is forgotten after a while, and its name can be used before") {
    QueenUnderTest queen;
    queen.create();
    queen.ask(Wish::removed, "r");
    queen.on(MarshalExited{queen.alpha, "killed"});
    queen.on(ComponentsGone{queen.alpha});
    queen.on(ObjectsGone{queen.alpha});
    queen.on(OutcomeSafe{queen.alpha});
    REQUIRE(queen.swarm().phase == Phase::removed);
    QueenUnderTest again = queen;
    queen.pass(10min);
    CHECK(queen.count<Forget>() == 1);
    CHECK(queen.state.swarms.empty());
    again.create(again.alpha, "second");
    CHECK(again.refused.empty());
    CHECK(again.swarm().phase == Phase::creating);
}

TEST_CASE("words of a removed swarm are not taken for those of the next one of its name") {
    QueenUnderTest queen;
    queen.create();
    const auto late = wire::Envelope::status(
        {{wire::controller_role(), queen.marshal}, queen.moment.wall - 1s}, queen.controller(),
        wire::StatusDelta{.context = QueenUnderTest::context_of("Ready", "old")});
    queen.on(Heard{late});
    CHECK_FALSE(queen.swarm().observed);
    CHECK_FALSE(queen.swarm().create.decided);
}

TEST_CASE("the journal says whom an entry is about and which way the message went") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    const auto sent = queen.entries();
    const auto signal = std::ranges::find(sent, "signal", &JournalEntry::kind);
    REQUIRE(signal != sent.end());
    CHECK(signal->data.at("direction") == "out");
    CHECK(signal->data.at("scope").at("role") == "swarm-controller");
    CHECK(signal->data.at("scope").at("instance") == "alpha-marshal");
    queen.outcome_of(queen.bee("processor", 1), "x", wire::Outcome::applied(true));
    const auto heard = queen.entries();
    REQUIRE_FALSE(heard.empty());
    CHECK(heard[0].data.at("direction") == "in");
    CHECK(heard[0].data.at("scope").at("instance") == "alpha-processor-1");
}
