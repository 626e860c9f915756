#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/time_zone.hpp"

#include <bitset>
#include <optional>
#include <string_view>

namespace hive::colony::tasks {

// When something is due again: an interval (`1h30m`, `PT15M`), or the five fields of cron by the
// clocks of a place (`0 9 * * 1-5`: minute, hour, day of month, month, day of week; lists, ranges,
// steps). What falls into an hour that clocks skip is due once, when they have been set. An hour
// that comes twice counts the first time, unless the schedule is for every hour.
class Schedule {
public:
    static Result<Schedule> parse(std::string_view text);

    // Strictly later. None when no such day exists, such as the 30th of February.
    std::optional<Timestamp> next_after(Timestamp time, const TimeZone& zone = {}) const;

    bool is_interval() const noexcept { return every_ > Duration::zero(); }

private:
    bool fits(std::chrono::local_days day) const;

    Duration every_{}; // zero: by the fields below
    std::bitset<60> minutes_{};
    std::bitset<24> hours_{};
    std::bitset<32> days_{};
    std::bitset<13> months_{};
    std::bitset<7> weekdays_{};
    // As cron does: when both days are restricted, either will do.
    bool any_day_ = true;
    bool any_weekday_ = true;
};

} // namespace hive::colony::tasks
