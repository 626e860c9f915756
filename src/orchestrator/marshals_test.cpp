#include "orchestrator/decide.hpp"
#include "tests/support/queen_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::orchestrator;
using namespace std::chrono_literals;

TEST_CASE("a controller that exits is launched again, later each time") {
    QueenUnderTest queen;
    queen.make_running();
    queen.on(MarshalExited{queen.alpha, "killed by SIGKILL", {"the last line"}});
    REQUIRE(queen.alerts().size() == 1);
    CHECK(queen.alerts()[0].message == "alpha-marshal exited: killed by SIGKILL");
    CHECK(queen.alerts()[0].context->at("log").as_array().at(0) == "the last line");
    CHECK(queen.entries().size() == 1);
    CHECK(queen.swarm().wish == Wish::running);
    CHECK(queen.count<LaunchMarshal>() == 0);
    queen.pass(1s);
    CHECK(queen.count<LaunchMarshal>() == 1);
    queen.on(MarshalExited{queen.alpha, "killed by SIGKILL"});
    queen.pass(1s);
    CHECK(queen.count<LaunchMarshal>() == 0);
    queen.pass(1s);
    CHECK(queen.count<LaunchMarshal>() == 1);
    for (int i = 0; i < 10; ++i) queen.on(MarshalExited{queen.alpha, "killed by SIGKILL"});
    queen.pass(30s);
    CHECK(queen.count<LaunchMarshal>() == 1);
}

TEST_CASE("a controller that lived long enough is launched again without a long wait") {
    QueenUnderTest queen;
    queen.make_running();
    for (int i = 0; i < 5; ++i) queen.on(MarshalExited{queen.alpha, "exit code 3"});
    queen.pass(30s);
    queen.pass(2min);
    queen.on(MarshalExited{queen.alpha, "exit code 3"});
    queen.pass(1s);
    CHECK(queen.count<LaunchMarshal>() == 1);
}

TEST_CASE("a controller that exits while its swarm is removed is not needed any more") {
    QueenUnderTest queen;
    queen.make_running();
    queen.ask(Wish::removed, "r");
    queen.on(MarshalExited{queen.alpha, "exit code 3"});
    CHECK(queen.count<RemoveComponents>() == 1);
    queen.pass(1min);
    CHECK(queen.count<LaunchMarshal>() == 0);
}

TEST_CASE("a controller that never comes up fails the creation with how it ended") {
    QueenUnderTest queen;
    queen.create();
    for (int i = 0; i < 5; ++i) queen.on(MarshalExited{queen.alpha, "exit code 127"});
    CHECK(queen.swarm().phase == Phase::failed);
    REQUIRE(queen.ends_of("c").size() == 1);
    CHECK(queen.ends_of("c")[0].reason == "the controller exited: exit code 127");
    queen.pass(1min);
    CHECK(queen.count<LaunchMarshal>() == 0);
}

TEST_CASE("a failed launch keeps its reason, and a start tries again") {
    QueenUnderTest queen;
    queen.create();
    queen.on(MarshalFailed{queen.alpha, "no such program"});
    CHECK(queen.swarm().trouble == "no such program");
    CHECK(queen.ends_of("c").at(0).status == wire::OutcomeStatus::failed);
    queen.pass(1min);
    CHECK(queen.count<LaunchMarshal>() == 0);
    queen.ask(Wish::running, "s");
    CHECK(queen.count<LaunchMarshal>() == 1);
}

TEST_CASE("a controller that falls silent is asked, then launched again, and told of once") {
    QueenUnderTest queen;
    queen.make_running();
    queen.pass(25s);
    CHECK(queen.sent(wire::Command::status_request));
    CHECK(queen.count<LaunchMarshal>() == 0);
    queen.pass(10s);
    CHECK(queen.count<LaunchMarshal>() == 1);
    REQUIRE(queen.alerts().size() == 1);
    CHECK(queen.alerts()[0].code == "controller.silent");
    queen.pass(10s);
    CHECK(queen.count<LaunchMarshal>() == 1);
    CHECK(queen.alerts().empty());
    queen.marshal_says("Running");
    REQUIRE(queen.alerts().size() == 1);
    CHECK(queen.alerts()[0].code == "controller.recovered");
}
