#pragma once

#include "runtime/process/descriptor.hpp"
#include "runtime/process/environment.hpp"
#include "runtime/process/records.hpp"

#include <map>
#include <string>

namespace hive::runtime::process {

struct Started {
    Record record;
    Descriptor pidfd{};
};

// Makes a process of a component: its log, its record, its environment.
class Starter {
public:
    struct Programs {
        std::string own;
        std::map<std::string, std::string> by_role{}; // instead, for bees of that role
    };
    Starter(Programs programs, const Records& records, const Clock& clock)
        : programs_{std::move(programs)}, records_{records}, clock_{clock},
          base_{base_environment()} {}

    // There is none of that name alive.
    Result<Started> start(const Component& component, const SwarmLock& lock) const;

private:
    Programs programs_;
    const Records& records_;
    const Clock& clock_;
    Environment base_;
};

} // namespace hive::runtime::process
