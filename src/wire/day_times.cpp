#include "wire/day_times.hpp"

#include "kernel/timestamp.hpp"
#include "wire/plain_text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hive::wire {
namespace {

// `12:34:56Z` with 0 to 9 digits of fraction; nothing for any other form.
std::optional<Duration> time_of_day(std::string_view text) {
    const auto digit = [&](std::size_t i) { return static_cast<unsigned>(text[i] - '0'); };
    const auto two = [&](std::size_t i) { return digit(i) * 10 + digit(i + 1); };
    if (text.size() < 9 || text[2] != ':' || text[5] != ':' || text.back() != 'Z') return {};
    for (const std::size_t i : {0U, 1U, 3U, 4U, 6U, 7U}) {
        if (digit(i) > 9) return {};
    }
    if (two(0) > 23 || two(3) > 59 || two(6) > 59) return {};
    const std::string_view fraction = text.substr(8, text.size() - 9);
    if (fraction.size() == 1 || fraction.size() > 10) return {};
    std::int64_t nanos = 0;
    for (std::size_t i = 1; i < 10; ++i) {
        const unsigned value = i < fraction.size() ? digit(8 + i) : 0;
        if (value > 9) return {};
        nanos = nanos * 10 + value;
    }
    if (!fraction.empty() && fraction.front() != '.') return {};
    return std::chrono::seconds{(two(0) * 60 + two(3)) * 60 + two(6)} + Duration{nanos};
}

} // namespace

Result<Timestamp> DayTimes::parse(std::string_view text) {
    if (begins_with(text, {date_.data(), date_.size()})) {
        if (const auto time = time_of_day(text.substr(date_size))) return midnight_ + *time;
    }
    auto time = parse_timestamp(text);
    if (time && text[date_size - 1] == 'T' && text.back() == 'Z') {
        std::ranges::copy(text.substr(0, date_size), date_.begin());
        midnight_ = std::chrono::floor<std::chrono::days>(*time);
    }
    return time;
}

} // namespace hive::wire
