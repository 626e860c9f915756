#include "kernel/random.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace std::chrono_literals;

TEST_CASE("an RFC 3339 time is read with its offset and fraction") {
    const auto base = *parse_timestamp("2025-09-12T12:34:56Z");
    CHECK(base.time_since_epoch() == 1'757'680'496s);
    CHECK(*parse_timestamp("2025-09-12T14:34:56+02:00") == base);
    CHECK(*parse_timestamp("2025-09-12T12:34:56.25Z") == base + 250ms);
    CHECK(*parse_timestamp("2025-09-12t12:34:56.000000001z") == base + 1ns);
    CHECK(*parse_timestamp("2016-12-31T23:59:60Z") == *parse_timestamp("2016-12-31T23:59:59Z"));
    CHECK(*parse_timestamp("1969-12-31T23:59:59.5Z") == Timestamp{-500ms});
}

TEST_CASE("what is not a time is refused") {
    for (const char* text :
         {"", "2025-09-12", "2025-09-12T12:34:56", "2025-02-30T00:00:00Z", "2025-13-01T00:00:00Z",
          "2025-09-12T24:00:00Z", "2025-09-12T12:60:00Z", "2025-09-12T12:34:56+2:00",
          "2025-09-12T12:34:56.Z", "2025-09-12T12:34:56.1234567890Z", "2025-09-12T12:34:56Zx",
          "0001-01-01T00:00:00Z", "yesterday"}) {
        CHECK_MESSAGE(!parse_timestamp(text).has_value(), text);
    }
}

TEST_CASE("a formatted time keeps every nanosecond and no needless digit") {
    const auto base = *parse_timestamp("2025-09-12T12:34:56Z");
    CHECK(format_timestamp(base) == "2025-09-12T12:34:56Z");
    CHECK(format_timestamp(base + 250ms) == "2025-09-12T12:34:56.250Z");
    CHECK(format_timestamp(base + 1us) == "2025-09-12T12:34:56.000001Z");
    Random random{42};
    for (int i = 0; i < 1000; ++i) {
        const Timestamp t{Duration{
            static_cast<std::int64_t>(random.below(9'000'000'000)) * 1'000'000'000 +
            static_cast<std::int64_t>(random.below(1'000'000'000))}};
        CHECK(*parse_timestamp(format_timestamp(t)) == t);
    }
}
