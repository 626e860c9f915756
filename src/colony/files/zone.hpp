#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::files {

// When the clocks of a place are moved.
enum class Summer : std::uint8_t { none, american, european };

// What time names and headers mean that say no zone themselves.
class Zone {
public:
    Zone() = default; // UTC
    // `America/Chicago`, `Europe/Berlin`, `UTC`, `+05:30`; those that are known are in the error.
    static Result<Zone> parse(std::string_view text);

    Timestamp to_utc(std::chrono::local_seconds time) const;
    std::chrono::local_seconds to_local(Timestamp time) const;
    const std::string& name() const noexcept { return name_; }

private:
    Zone(std::string name, std::chrono::minutes offset, Summer summer)
        : name_{std::move(name)}, offset_{offset}, summer_{summer} {}
    bool in_summer(std::chrono::local_seconds standard) const;

    std::string name_ = "UTC";
    std::chrono::minutes offset_{0}; // from UTC, in winter
    Summer summer_ = Summer::none;
};

// A moment as somebody wrote it.
struct When {
    Timestamp time{};
    bool has_clock = false; // more than a date
    bool has_zone = false;
};

// The first date in the text with the time and the zone that follow it: `2025-10-25 15:30 CDT`,
// `2025-10-18 2355`, `2025-10-26 12:15 PM`, RFC 3339, `October 26, 2025`. 24:00 is the next day.
std::optional<When> when_in(std::string_view text, const Zone& zone);

// At the start of a file name: `YYYY-MM-DD[-HHMM[SS]]` or `YYYYMMDD[_HHMMSS]`, and how long it is.
struct NamedTime {
    When when;
    std::size_t length = 0;
};
std::optional<NamedTime> when_at_start(std::string_view name, const Zone& zone);

// `2025-10-25-153000` in the zone, as our own names begin.
std::string stamp(Timestamp time, const Zone& zone);

} // namespace hive::colony::files
