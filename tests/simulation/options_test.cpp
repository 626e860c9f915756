#include "tests/simulation/options.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hive;
using namespace hive::simulation;

namespace {

Result<Options> parsed(const std::vector<const char*>& arguments) {
    return parse_options(arguments, 4);
}

} // namespace

TEST_CASE("without arguments the first scenario is played on all cores") {
    const auto options = parsed({});
    REQUIRE(options);
    CHECK(options->scenario == &scenarios().front());
    CHECK(options->jobs == 4);
    CHECK_FALSE(options->seed);
}

TEST_CASE("every option is understood") {
    const auto many = parsed(
        {"--scenario", "handshake-ack-early", "--seeds", "20", "--from", "5", "--jobs", "2",
         "--faults", "crash,loss"});
    REQUIRE(many);
    CHECK(many->scenario->name == "handshake-ack-early");
    CHECK(many->seeds == 20);
    CHECK(many->from == 5);
    CHECK(many->jobs == 2);
    CHECK(many->faults.text() == "loss,crash");
    CHECK(parsed({"--minutes", "3"})->minutes == 3);
    CHECK(parsed({"--list"})->list);
    CHECK(parsed({"--help"})->help);
    const auto one = parsed({"--seed", "0", "--trace"});
    REQUIRE(one);
    CHECK(one->seed == 0);
    CHECK(one->trace);
}

TEST_CASE("a wrong argument is refused by name") {
    const std::pair<std::vector<const char*>, const char*> cases[] = {
        {{"--sed", "1"}, "--sed"},          {{"--seed"}, "--seed"},
        {{"--seed", "-1"}, "-1"},           {{"--seeds", "0"}, "--seeds"},
        {{"--jobs", "1000"}, "1000"},       {{"--minutes", "soon"}, "soon"},
        {{"--scenario", "none"}, "'none'"}, {{"--faults", "rain"}, "rain"},
        {{"--seed", "12x"}, "12x"},         {{"--trace"}, "--seed"},
    };
    for (const auto& [arguments, named] : cases) {
        const auto options = parsed(arguments);
        REQUIRE_FALSE(options.has_value());
        CHECK_MESSAGE(options.error().detail.find(named) != std::string::npos, named);
    }
}
