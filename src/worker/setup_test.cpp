#include "worker/setup.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::worker;

namespace {

Setup some_setup() {
    return {
        .self =
            {SwarmId::parse("alpha").value(), Role::parse("echo").value(),
             InstanceId::parse("alpha-echo-1").value()},
        .ports = {
            .exchange = "ph.alpha.hive",
            .in = {{"in.http", "ph.work.alpha.a"}, {"in.audit", "ph.work.alpha.b"}},
            .out = {{"out", "ph.work.alpha.c"}, {"out.fast", "ph.work.alpha.d"}},
            .selectors = {
                {"out.fast", SelectPolicy::first, "payload.priority >= 50"},
                {"out", SelectPolicy::first}}}};
}

} // namespace

TEST_SUITE("setup of a bee") {
    TEST_CASE("what is told is what is read") {
        const auto environment = environment_of(some_setup());
        CHECK(environment.at("POCKETHIVE_INPUT_RABBIT_QUEUE") == "ph.work.alpha.a");
        CHECK(environment.at("POCKETHIVE_OUTPUT_RABBIT_EXCHANGE") == "ph.alpha.hive");
        CHECK(environment.at("POCKETHIVE_OUTPUT_RABBIT_ROUTING_KEY") == "ph.work.alpha.c");
        const auto read = read_setup(environment);
        REQUIRE(read);
        CHECK(read->self.instance.text() == "alpha-echo-1");
        CHECK(read->ports == some_setup().ports);
    }

    TEST_CASE("what is missing or wrong is named") {
        auto environment = environment_of(some_setup());
        environment.erase("POCKETHIVE_CONTROL_PLANE_SWARM_ID");
        CHECK(
            read_setup(environment).error().detail ==
            "the environment variable POCKETHIVE_CONTROL_PLANE_SWARM_ID is not set");
        environment["POCKETHIVE_CONTROL_PLANE_SWARM_ID"] = "a.b";
        CHECK(read_setup(environment)
                  .error()
                  .detail.starts_with("POCKETHIVE_CONTROL_PLANE_SWARM_ID: "));
        environment["POCKETHIVE_CONTROL_PLANE_SWARM_ID"] = "alpha";
        for (const char* bad :
             {"[]", "{", R"({"in":[]})", R"({"out":{"x":1}})",
              R"({"selectors":[{"port":"x","expr":"1 +"}]})"}) {
            environment["POCKETHIVE_WORK_PORTS"] = bad;
            CHECK(read_setup(environment).error().detail.starts_with("POCKETHIVE_WORK_PORTS: "));
        }
    }
}
