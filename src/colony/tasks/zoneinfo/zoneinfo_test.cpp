#include "colony/tasks/schedule.hpp"
#include "colony/tasks/zoneinfo/zoneinfo.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using hive::colony::tasks::Schedule;
using hive::colony::tasks::zoneinfo::ZoneInfo;

namespace {

std::string next(std::string_view schedule, std::string_view zone, std::string_view after) {
    ZoneInfo zones;
    const auto found = zones.find(zone);
    REQUIRE_MESSAGE(found, found.error().detail);
    const auto due = Schedule::parse(schedule)->next_after(parse_timestamp(after).value(), **found);
    return due ? format_timestamp(*due) : "never";
}

} // namespace

TEST_CASE("a schedule follows the clocks of its place through summer and winter") {
    const auto* nine = "0 9 * * *";
    CHECK(next(nine, "Europe/Berlin", "2026-01-05T00:00:00Z") == "2026-01-05T08:00:00Z");
    CHECK(next(nine, "Europe/Berlin", "2026-07-05T00:00:00Z") == "2026-07-05T07:00:00Z");
    CHECK(next(nine, "America/New_York", "2026-01-05T00:00:00Z") == "2026-01-05T14:00:00Z");
    CHECK(next(nine, "Asia/Kolkata", "2026-01-05T00:00:00Z") == "2026-01-05T03:30:00Z");
    CHECK(next(nine, "UTC", "2026-01-05T00:00:00Z") == "2026-01-05T09:00:00Z");
    // Beyond the table of the file its rule holds.
    CHECK(next("0 9 1 7 *", "Europe/Berlin", "2090-01-01T00:00:00Z") == "2090-07-01T07:00:00Z");
    // The day is that of the place: Monday begins on Sunday in Tokyo.
    CHECK(next("0 0 * * 1", "Asia/Tokyo", "2026-01-03T00:00:00Z") == "2026-01-04T15:00:00Z");
}

TEST_CASE("an hour that is skipped runs once, when the clocks have been set") {
    // In Berlin 02:00 became 03:00 on 29 March 2026, at 01:00 UTC.
    const auto* skipped = "30 2 * * *";
    CHECK(next(skipped, "Europe/Berlin", "2026-03-28T12:00:00Z") == "2026-03-29T01:00:00Z");
    CHECK(next(skipped, "Europe/Berlin", "2026-03-29T01:00:00Z") == "2026-03-30T00:30:00Z");
    // Several times of that hour are one run, and so is what is due at 03:00 anyway.
    CHECK(
        next("*/15 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z") == "2026-03-29T01:00:00Z");
    CHECK(
        next("*/15 2,3 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z") == "2026-03-29T01:15:00Z");
    // Half an hour on Lord Howe Island: 02:00 became 02:30 on 4 October 2026.
    CHECK(
        next("10 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z") ==
        "2026-10-03T15:30:00Z");
}

TEST_CASE("an hour that comes twice runs once, the first time") {
    // In Berlin 03:00 becomes 02:00 on 25 October 2026, at 01:00 UTC.
    const auto* doubled = "30 2 * * *";
    CHECK(next(doubled, "Europe/Berlin", "2026-10-24T12:00:00Z") == "2026-10-25T00:30:00Z");
    CHECK(next(doubled, "Europe/Berlin", "2026-10-25T00:30:00Z") == "2026-10-26T01:30:00Z");
    CHECK(next(doubled, "Europe/Berlin", "2026-10-25T00:45:00Z") == "2026-10-26T01:30:00Z");
    CHECK(next(doubled, "Europe/Berlin", "2026-10-25T01:15:00Z") == "2026-10-26T01:30:00Z");
}

TEST_CASE("what is due every hour goes on through both of a doubled hour") {
    const auto* hourly = "*/30 * * * *";
    CHECK(next(hourly, "Europe/Berlin", "2026-10-25T00:30:00Z") == "2026-10-25T01:00:00Z");
    CHECK(next(hourly, "Europe/Berlin", "2026-10-25T01:00:00Z") == "2026-10-25T01:30:00Z");
    CHECK(next(hourly, "Europe/Berlin", "2026-10-25T01:30:00Z") == "2026-10-25T02:00:00Z");
    CHECK(next(hourly, "Europe/Berlin", "2026-03-29T00:30:00Z") == "2026-03-29T01:00:00Z");
}

TEST_CASE("every zone of the machine reads, and a schedule in it never goes backwards") {
    ZoneInfo zones;
    const std::filesystem::path directory = "/usr/share/zoneinfo";
    const auto daily = Schedule::parse("30 2 * * *").value();
    std::size_t count = 0;
    for (const auto* region : {"Africa", "America", "Asia", "Australia", "Europe", "Pacific"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator{directory / region}) {
            if (!entry.is_regular_file()) continue;
            const auto name = std::filesystem::relative(entry.path(), directory).string();
            const auto zone = zones.find(name);
            REQUIRE_MESSAGE(zone, name);
            ++count;
            auto time = parse_timestamp("2026-01-01T00:00:00Z").value();
            for (int day = 0; day < 366; ++day) {
                const auto due = daily.next_after(time, **zone);
                REQUIRE_MESSAGE((due && *due > time), name);
                REQUIRE_MESSAGE(*due - time <= std::chrono::hours{50}, name);
                time = *due;
            }
        }
    }
    CHECK(count > 300);
}

TEST_CASE("what is no zone is refused, and never leads out of the directory") {
    ZoneInfo zones;
    for (const auto* name :
         {"", "Mars/Olympus", "europe/berlin", "../../etc/passwd", "/etc/passwd", "Europe",
          "Europe/", "Europe//Berlin", "tzdata.zi", "zone.tab", "leapseconds", "Europe/Ber\nlin"}) {
        CHECK_MESSAGE(!zones.find(name), name);
    }
    CHECK(
        zones.find("Mars/Olympus").error().detail ==
        "there is no time zone 'Mars/Olympus'; names are as Europe/Berlin");
    ZoneInfo nowhere{"/nowhere"};
    const auto missing = nowhere.find("Europe/Berlin");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == Errc::unavailable);
    CHECK(missing.error().detail.find("install tzdata") != std::string::npos);
}
