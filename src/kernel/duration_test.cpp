#include "kernel/duration.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace std::chrono_literals;

TEST_CASE("durations are read in both spellings") {
    const std::pair<const char*, Duration> cases[] = {
        {"250ms", 250ms}, {"5s", 5s},           {"2m", 2min},     {"1h", 1h},
        {"0s", 0s},       {"1h30m", 90min},     {"1.5s", 1500ms}, {"7d", 168h},
        {"10us", 10us},   {"1ns", 1ns},         {"PT15S", 15s},   {"PT0.25S", 250ms},
        {"P1DT2H", 26h},  {"PT1H30M5S", 5405s}, {"P2W", 336h},    {"PT0S", 0s},
    };
    for (const auto& [text, expected] : cases) {
        const auto parsed = parse_duration(text);
        REQUIRE_MESSAGE(parsed.has_value(), text);
        CHECK_MESSAGE(*parsed == expected, text);
    }
}

TEST_CASE("what is not a duration is refused with an example of one") {
    for (const char* text :
         {"", "5", "s", "-5s", "5 s", "5x", "P", "PT", "P1Y", "P1M", "PT5", "1.s",
          "999999999999999d", "1e9s", "PT1S2"}) {
        const auto parsed = parse_duration(text);
        REQUIRE_MESSAGE(!parsed.has_value(), text);
        CHECK(parsed.error().detail.find("PT15S") != std::string::npos);
    }
}

TEST_CASE("a formatted duration reads back as the same value") {
    CHECK(format_duration(90min) == "1h30m");
    CHECK(format_duration(250ms) == "250ms");
    CHECK(format_duration(0s) == "0s");
    for (const Duration d : {Duration{1ns}, Duration{61s}, Duration{25h + 3ms}, Duration{1001us}}) {
        CHECK(*parse_duration(format_duration(d)) == d);
    }
}
