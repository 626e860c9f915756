#include "cli/config_patch.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::cli;

TEST_CASE("values are JSON where they can be, else text, at the place their names say") {
    json::object patch;
    REQUIRE(set_in(patch, "text=hello world"));
    REQUIRE(set_in(patch, "worker.ratePerSec=50"));
    REQUIRE(set_in(patch, "worker.names=[\"a\",\"b\"]"));
    REQUIRE(set_in(patch, "enabled=true"));
    REQUIRE(set_in(patch, "note=a=b"));
    REQUIRE(set_in(patch, "gone=null"));
    REQUIRE(set_in(patch, "empty="));
    CHECK(
        patch == parse_json(R"({"text":"hello world","worker":{"ratePerSec":50,"names":["a","b"]},
            "enabled":true,"note":"a=b","gone":null,"empty":""})")
                     .value()
                     .as_object());
}

TEST_CASE("what says no place is refused") {
    json::object patch;
    CHECK_FALSE(set_in(patch, "text"));
    CHECK_FALSE(set_in(patch, "=5"));
    CHECK_FALSE(set_in(patch, "a..b=5"));
    REQUIRE(set_in(patch, "a=5"));
    const auto taken = set_in(patch, "a.b=5");
    REQUIRE_FALSE(taken);
    CHECK(taken.error().code == Errc::invalid);
    CHECK(taken.error().detail.find("'a' has a value already") != std::string::npos);
}
