#include "orchestrator/decide.hpp"
#include "tests/support/queen_under_test.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::orchestrator;
using namespace std::chrono_literals;
using wire::OutcomeStatus;

TEST_CASE("a creation and a start end once each, with their status") {
    QueenUnderTest queen;
    queen.make_running();
    REQUIRE(queen.ends_of("c").size() == 1);
    CHECK(queen.ends_of("c")[0].status == OutcomeStatus::ready);
    REQUIRE(queen.ends_of("s").size() == 1);
    CHECK(queen.ends_of("s")[0].status == OutcomeStatus::running);
}

TEST_CASE("the answer to an attempt that was sent again ends what was asked, once") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    queen.pass(5s);
    const auto again = queen.sent(wire::Command::swarm_start);
    REQUIRE(again);
    CHECK(again->correlation_id != "s");
    queen.outcome(*again->correlation_id, wire::Outcome::succeeded(wire::Command::swarm_start));
    queen.outcome("s", wire::Outcome::succeeded(wire::Command::swarm_start));
    CHECK(queen.ends_of("s").size() == 1);
}

TEST_CASE("a newer wish ends the older ask without status and with an entry in the journal") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    queen.ask(Wish::stopped, "t");
    REQUIRE(queen.ends_of("s").size() == 1);
    CHECK_FALSE(queen.ends_of("s")[0].status);
    CHECK(queen.ends_of("s")[0].reason == "overtaken by swarm-stop");
    CHECK(std::ranges::any_of(queen.entries(), [](const JournalEntry& entry) {
        return entry.correlation_id == "s" && entry.severity == Severity::warn;
    }));
}

TEST_CASE("a start that nobody answers ends as timed out and leaves the swarm Failed") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    queen.pass(3min);
    REQUIRE(queen.ends_of("s").size() == 1);
    CHECK_FALSE(queen.ends_of("s")[0].status);
    CHECK(queen.swarm().phase == Phase::failed);
    CHECK(queen.swarm().trouble == "swarm-start timed out");
}

TEST_CASE("a start during the creation waits for it, and fails with it") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("New");
    queen.ask(Wish::running, "s");
    CHECK(queen.refused.empty());
    queen.outcome(
        "q-2", wire::Outcome::failed(
                   wire::Command::swarm_template, json::object{{"reason", "no such binary"}}));
    CHECK(queen.ends_of("c").at(0).status == OutcomeStatus::failed);
    REQUIRE(queen.ends_of("s").size() == 1);
    CHECK(queen.ends_of("s")[0].status == OutcomeStatus::failed);
    CHECK(queen.ends_of("s")[0].reason == "no such binary");
}

TEST_CASE("a removal ends only when nothing is left") {
    QueenUnderTest queen;
    queen.make_running();
    queen.ask(Wish::removed, "r");
    queen.outcome("r", wire::Outcome::succeeded(wire::Command::swarm_remove));
    queen.on(ComponentsGone{queen.alpha});
    CHECK(queen.ends_of("r").empty());
    queen.on(ObjectsGone{queen.alpha});
    REQUIRE(queen.ends_of("r").size() == 1);
    CHECK(queen.ends_of("r")[0].status == OutcomeStatus::removed);
}

TEST_CASE("a stop of a controller that started anew ends as stopped: its bees are idle") {
    QueenUnderTest queen;
    queen.make_running();
    queen.ask(Wish::stopped, "t");
    queen.marshal_says("New", "m2");
    queen.outcome("q-3", wire::Outcome::not_ready(wire::Command::swarm_stop, {}));
    CHECK(queen.ends_of("t").empty());
    queen.marshal_says("Ready", "m2");
    REQUIRE(queen.ends_of("t").size() == 1);
    CHECK(queen.ends_of("t")[0].status == OutcomeStatus::stopped);
}

TEST_CASE("a stop of a swarm that never started is refused with what is possible") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::stopped, "t");
    REQUIRE(queen.refused.size() == 1);
    CHECK(queen.refused[0].code == Errc::conflict);
    CHECK(
        queen.refused[0].reason ==
        "swarm 'alpha' is Ready; possible now: start, remove, config-update");
}

TEST_CASE("a start while removing is refused, and so is anything of a swarm that is not there") {
    QueenUnderTest queen;
    queen.ask(Wish::running, "early");
    queen.make_running();
    queen.ask(Wish::removed, "r");
    queen.ask(Wish::running, "late");
    REQUIRE(queen.refused.size() == 2);
    CHECK(queen.refused[0].code == Errc::not_found);
    CHECK(queen.refused[1].code == Errc::conflict);
    CHECK(queen.refused[1].reason == "swarm 'alpha' is Removing; possible now: remove");
    CHECK(queen.ends_of("late").empty());
}

TEST_CASE("nothing that is listed as allowed is refused") {
    for (const std::string_view status : {"Ready", "Running", "Stopped", "Failed", "Stopping"}) {
        QueenUnderTest queen;
        queen.make_running();
        queen.marshal_says(status);
        for (const wire::Command action : allowed_actions(queen.swarm())) {
            QueenUnderTest copy = queen;
            if (action == wire::Command::swarm_start) copy.ask(Wish::running, "x");
            if (action == wire::Command::swarm_stop) copy.ask(Wish::stopped, "x");
            if (action == wire::Command::swarm_remove) copy.ask(Wish::removed, "x");
            if (action == wire::Command::config_update) {
                copy.configure({.swarm = copy.alpha}, {{"rate", 1}}, "x");
            }
            CAPTURE(status);
            CHECK(copy.refused.empty());
        }
    }
}

TEST_CASE("a wish of an earlier life ends when it has come true") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_lists("Ready");
    queen.ask(Wish::running, "s");
    QueenUnderTest next = queen.next_life();
    CHECK(next.ends_of("s").empty());
    next.marshal_lists("Running");
    REQUIRE(next.ends_of("s").size() == 1);
    CHECK(next.ends_of("s")[0].status == wire::OutcomeStatus::running);
    CHECK(next.next_life().ends_of("s").empty());
}

TEST_CASE("a wish of an earlier life that nobody answers ends in time") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_lists("Ready");
    queen.ask(Wish::running, "s");
    QueenUnderTest next = queen.next_life();
    next.pass(std::chrono::minutes{4});
    REQUIRE(next.ends_of("s").size() == 1);
    CHECK_FALSE(next.ends_of("s")[0].status);
}

TEST_CASE("a command that nobody takes on is answered by the queen: Failed, with one alert") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    queen.pass(3min);
    const auto answers = queen.answers();
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].correlation_id == "s");
    CHECK(to_text(answers[0].scope) == "alpha.orchestrator.queen");
    const auto& outcome = std::get<wire::Outcome>(answers[0].body);
    CHECK(outcome.status == OutcomeStatus::failed);
    CHECK(outcome.context->at("reason") == "swarm-start timed out");
    REQUIRE(queen.alerts().size() == 1);
    CHECK(queen.alerts()[0].context->at("correlationId") == "s");
    queen.pass(3min);
    CHECK(queen.answers().empty());
}

TEST_CASE("a command that the controller took on is answered by the controller alone") {
    QueenUnderTest queen;
    queen.create();
    queen.marshal_says("Ready");
    queen.ask(Wish::running, "s");
    auto context = QueenUnderTest::context_of("Starting", "m1");
    context["accepted"] = "s";
    queen.says(wire::StatusDelta{.context = std::move(context)});
    queen.pass(3min);
    CHECK(queen.ends_of("s").size() == 1);
    CHECK(queen.answers().empty());
}

TEST_CASE("a command that was never sent is answered by the queen when it ends") {
    QueenUnderTest queen;
    queen.create();
    queen.ask(Wish::running, "s");
    queen.ask(Wish::removed, "r");
    auto answers = queen.answers();
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].correlation_id == "s");
    CHECK(std::get<wire::Outcome>(answers[0].body).status == OutcomeStatus::not_ready);
    queen.pass(3min); // the controller never came: it is removed from here
    queen.on(ComponentsGone{queen.alpha});
    queen.on(ObjectsGone{queen.alpha});
    answers = queen.answers();
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].correlation_id == "r");
    CHECK(std::get<wire::Outcome>(answers[0].body).status == OutcomeStatus::removed);
}
