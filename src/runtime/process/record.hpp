#pragma once

#include "runtime/runtime.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::runtime::process {

// What tells one process from every other, also after its number was given out again.
struct Identity {
    int pid = 0;
    std::uint64_t start_ticks = 0; // after the boot; field 22 of /proc/PID/stat
    std::string boot{};            // the boot of the machine those are counted from

    bool operator==(const Identity&) const = default;
};

// What is written down about a component that runs. It never holds its environment: that may be
// secret, and who finds the component again has no use for it.
struct Record {
    Name name;
    Identity process{};
    Timestamp started{};
    std::uint64_t log_from = 0; // the byte of its log where its output begins
};

std::string to_text(const Record& record);
Result<Record> parse_record(std::string_view text);

} // namespace hive::runtime::process
