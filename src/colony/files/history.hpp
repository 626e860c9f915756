#pragma once

#include "kernel/clock.hpp"

#include <optional>
#include <string_view>

namespace hive::colony::files {

// Who knows how old files are that do not say it themselves.
class History {
public:
    virtual ~History() = default;
    // When the file at this path below the root was first committed; nothing: it never was, or
    // nobody knows.
    virtual std::optional<Timestamp> committed(std::string_view path) = 0;
};

} // namespace hive::colony::files
