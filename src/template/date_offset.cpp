#include "template/date_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace hive::templates {
namespace {

namespace chrono = std::chrono;

auto out_of_range(std::string_view offset) {
    return fail(
        Errc::invalid, fmt::format("the offset '{}' leads out of the years 1678 to 2261", offset));
}

// The 31st becomes the last day of a shorter month.
Result<Timestamp> add_months(Timestamp time, std::int64_t count, std::string_view offset) {
    constexpr std::int64_t most = 12 * 600; // wider than the range of a timestamp
    if (count > most || count < -most) return out_of_range(offset);
    const auto days = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date{days};
    const auto month =
        chrono::year_month{date.year(), date.month()} + chrono::months{static_cast<int>(count)};
    const auto last =
        chrono::year_month_day_last{month.year(), chrono::month_day_last{month.month()}};
    const chrono::year_month_day moved{
        month.year(), month.month(), std::min(date.day(), last.day())};
    if (moved.year() < chrono::year{1678} || moved.year() > chrono::year{2261}) {
        return out_of_range(offset);
    }
    return Timestamp{chrono::sys_days{moved}} + (time - days);
}

Result<Timestamp> add_seconds(Timestamp time, __int128 seconds, std::string_view offset) {
    const __int128 moved =
        static_cast<__int128>(time.time_since_epoch().count()) + seconds * 1'000'000'000;
    if (moved > std::numeric_limits<std::int64_t>::max() ||
        moved < std::numeric_limits<std::int64_t>::min()) {
        return out_of_range(offset);
    }
    return Timestamp{Duration{static_cast<std::int64_t>(moved)}};
}

} // namespace

Result<Timestamp> offset_by(Timestamp time, std::string_view offset) {
    std::string_view rest = offset;
    const bool back = rest.starts_with('-');
    if (back || rest.starts_with('+')) rest.remove_prefix(1);
    std::int64_t count = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (read.ec == std::errc{} && count >= 0) {
        const std::string_view unit{read.ptr, rest.data() + rest.size()};
        if (back) count = -count;
        const __int128 wide = count;
        if (unit == "s") return add_seconds(time, wide, offset);
        if (unit == "m") return add_seconds(time, wide * 60, offset);
        if (unit == "h") return add_seconds(time, wide * 3600, offset);
        if (unit == "d") return add_seconds(time, wide * 86'400, offset);
        if (unit == "w") return add_seconds(time, wide * 604'800, offset);
        if (unit == "M" || unit == "months") return add_months(time, count, offset);
        constexpr std::int64_t years_max = 1000;
        if (unit == "y")
            return add_months(time, std::clamp(count, -years_max, years_max) * 12, offset);
    }
    return fail(
        Errc::invalid,
        fmt::format("'{}' is not an offset like +2d or -90m; units: s m h d w M y", offset));
}

} // namespace hive::templates
