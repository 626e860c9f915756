#include "kernel/json.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace hive;

TEST_CASE("a document within its limits is read and written back unchanged") {
    const std::string text = R"({"a":[1,-2,12.75,true,null,"x\"\\\n\u0001é"],"b":{}})";
    const auto value = parse_json(text);
    REQUIRE(value.has_value());
    CHECK(to_text(*value) == text);
}

TEST_CASE("whole doubles print without an exponent and non-finite ones as null") {
    CHECK(to_text(json::value(1.0)) == "1");
    CHECK(to_text(json::value(0.5)) == "0.5");
    CHECK(to_text(json::value(std::numeric_limits<double>::infinity())) == "null");
}

TEST_CASE("broken, oversized and too deep documents are errors that say where") {
    CHECK(parse_json("{\"a\":").error().code == Errc::invalid);
    CHECK(parse_json("{} x").error().detail.find("byte 3") != std::string::npos);
    CHECK(parse_json("\"\xff\"").error().code == Errc::invalid);
    CHECK(parse_json(std::string(40, '[') + std::string(40, ']')).error().code == Errc::invalid);
    CHECK(parse_json("[1,2,3]", {.bytes = 4}).error().code == Errc::limit);
    CHECK(parse_json("").error().code == Errc::invalid);
}

TEST_CASE("a merge patch merges objects, replaces lists and removes nulls") {
    auto target = *parse_json(R"({"a":{"x":1,"y":2},"list":[1,2],"gone":true})");
    merge_patch(target, *parse_json(R"({"a":{"y":3,"z":{"n":1}},"list":[9],"gone":null})"));
    CHECK(to_text(target) == R"({"a":{"x":1,"y":3,"z":{"n":1}},"list":[9]})");
}
