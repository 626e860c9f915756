#include "runtime/process/environment.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace hive::runtime::process;

TEST_CASE("only what every component needs is passed on") {
    REQUIRE(::setenv("PATH_TO_SECRET", "hunter2", 1) == 0);
    REQUIRE(::setenv("HIVE_BROKER_URL", "amqp://bee:hunter2@h", 1) == 0);
    REQUIRE(::setenv("HIVE_LOG_FORMAT", "json", 1) == 0);
    const Environment base = base_environment();
    CHECK(base.contains("PATH"));
    CHECK(base.at("HIVE_LOG_FORMAT") == "json");
    CHECK(!base.contains("PATH_TO_SECRET"));
    CHECK(!base.contains("HIVE_BROKER_URL"));
    ::unsetenv("PATH_TO_SECRET");
    ::unsetenv("HIVE_BROKER_URL");
    ::unsetenv("HIVE_LOG_FORMAT");
}

TEST_CASE("what a component is told wins over what is passed on") {
    CHECK(
        merge({{"A", "1"}, {"B", "2"}}, {{"B", "x=y"}, {"C", ""}}) ==
        std::vector<std::string>{"A=1", "B=x=y", "C="});
}
