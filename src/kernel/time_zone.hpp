#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

// What the clocks of a place show, by a compiled file of the tz database (RFC 8536). Rules without
// an end are followed until the year 2199.
class TimeZone {
public:
    TimeZone() = default; // UTC
    static Result<TimeZone> read(std::string name, std::string_view file);

    const std::string& name() const noexcept { return name_; }
    std::chrono::seconds offset_at(Timestamp time) const; // east of UTC
    std::chrono::local_seconds to_local(Timestamp time) const;

    // When the clocks show a time. Twice where they are set back. Where they are set forward it is
    // skipped, and both are the moment at which they are set.
    struct Shown {
        Timestamp first;
        Timestamp last;
    };
    Shown when(std::chrono::local_seconds time) const;

    struct Change {
        Timestamp at;
        std::chrono::seconds offset; // from then on
    };

private:
    std::vector<Change>::const_iterator change_after(Timestamp time) const;

    std::string name_ = "UTC";
    std::chrono::seconds first_offset_{0}; // before all changes
    std::vector<Change> changes_{};        // by time
};

// Region and place, as `Europe/Berlin`: never a way out of a directory.
Status check_time_zone_name(std::string_view name);

} // namespace hive
