#pragma once

#include "kernel/result.hpp"

#include <chrono>
#include <string_view>
#include <vector>

namespace hive {

// The rule of a time zone that holds every year, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
class TimeZoneRule {
public:
    static Result<TimeZoneRule> parse(std::string_view text);

    std::chrono::seconds standard() const noexcept { return standard_; } // east of UTC

    struct Change {
        std::chrono::sys_seconds at;
        std::chrono::seconds offset; // from then on
    };
    std::vector<Change> changes_in(std::chrono::year year) const; // in order; none without summer

    // A day of every year, and the time of that day by the clock that holds until then.
    struct Day {
        enum class Kind : std::uint8_t { weekday, without_leap_day, with_leap_day };
        Kind kind = Kind::weekday;
        unsigned month = 1;
        unsigned week = 1;    // 5: the last
        unsigned weekday = 0; // 0: Sunday
        unsigned number = 0;  // of the year, by kind from 1 or from 0
        std::chrono::seconds time{std::chrono::hours{2}};
    };

private:
    std::chrono::seconds standard_{0};
    std::chrono::seconds summer_{0};
    bool has_summer_ = false;
    Day summer_begins_{};
    Day summer_ends_{};
};

} // namespace hive
