#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace hive::wire {

// parse_timestamp() for many times of the same day, as the hops of an item are: the date is worked
// out once.
class DayTimes {
public:
    Result<Timestamp> parse(std::string_view text);

private:
    static constexpr std::size_t date_size = 11; // 2026-01-20T

    std::array<char, date_size> date_{}; // of the last time in UTC; zeros before the first
    Timestamp midnight_{};
};

} // namespace hive::wire
