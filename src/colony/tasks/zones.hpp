#pragma once

#include "kernel/time_zone.hpp"

#include <memory>
#include <string_view>

namespace hive::colony::tasks {

// Where time zones are known by name. From any thread.
class Zones {
public:
    virtual ~Zones() = default;
    // Errc::invalid: nobody has such a zone. Errc::unavailable: none are known here.
    virtual Result<std::shared_ptr<const TimeZone>> find(std::string_view name) = 0;
};

} // namespace hive::colony::tasks
