#include "colony/tasks/schedule.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using hive::colony::tasks::Schedule;

namespace {
std::string next(std::string_view schedule, std::string_view after) {
    const auto parsed = Schedule::parse(schedule);
    REQUIRE_MESSAGE(parsed, schedule);
    const auto due = parsed->next_after(parse_timestamp(after).value());
    return due ? format_timestamp(*due) : "never";
}
} // namespace

TEST_CASE("schedules say when they are due next") {
    CHECK(next("1h30m", "2026-01-05T10:00:00Z") == "2026-01-05T11:30:00Z");
    CHECK(next("*/15 * * * *", "2026-01-05T10:00:00Z") == "2026-01-05T10:15:00Z");
    CHECK(next("*/15 * * * *", "2026-01-05T10:14:59.5Z") == "2026-01-05T10:15:00Z");
    CHECK(next("0 9 * * 1-5", "2026-01-09T09:00:00Z") == "2026-01-12T09:00:00Z"); // over a weekend
    CHECK(next("30 23 31 12 *", "2026-12-31T23:30:00Z") == "2027-12-31T23:30:00Z");
    CHECK(next("0 0 29 2 *", "2026-03-01T00:00:00Z") == "2028-02-29T00:00:00Z");
    CHECK(next("0 0 30 2 *", "2026-03-01T00:00:00Z") == "never");
    CHECK(next("0 0 * * 7", "2026-01-05T10:00:00Z") == "2026-01-11T00:00:00Z"); // 7 is Sunday
    CHECK(next("0 0 1,15 * *", "2026-01-05T10:00:00Z") == "2026-01-15T00:00:00Z");
    // Both days restricted: either will do, as cron has it.
    CHECK(next("0 0 13 * 5", "2026-01-05T10:00:00Z") == "2026-01-09T00:00:00Z");
    CHECK(next("10-50/20 4 * * *", "2026-01-05T04:10:00Z") == "2026-01-05T04:30:00Z");
}

TEST_CASE("what is no schedule is refused with what is wrong") {
    for (const auto* text :
         {"", "soon", "1s", "400d", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *",
          "* * 0 * *", "* * * 13 *", "* * * * 8", "5-1 * * * *", "*/0 * * * *", "a * * * *",
          ", * * * *", "1- * * * *", "-1 * * * *"}) {
        CHECK_MESSAGE(!Schedule::parse(text), text);
    }
    const auto bad = Schedule::parse("61 * * * *");
    CHECK(bad.error().detail == "the minute of a schedule is 0 to 59, not '61'");
}
