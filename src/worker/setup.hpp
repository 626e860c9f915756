#pragma once

#include "kernel/result.hpp"
#include "worker/control.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace hive::worker {

struct WorkPort {
    std::string id;    // as the scenario spells it
    std::string queue; // the broker's name; also the key that leads to it

    bool operator==(const WorkPort&) const = default;
};

enum class SelectPolicy : std::uint8_t {
    all,   // the port gets every item for which its expression holds
    first, // of these ports, the first whose expression holds gets the item
};

// Which items leave at a port; one without a selector gets all of them.
struct PortSelector {
    std::string port;
    SelectPolicy policy = SelectPolicy::all;
    std::string expr{}; // in the language of templates; empty: always

    bool operator==(const PortSelector&) const = default;
};

// How a bee is wired into its swarm.
struct WorkPorts {
    std::string exchange{};
    std::vector<WorkPort> in{};
    std::vector<WorkPort> out{};
    std::vector<PortSelector> selectors{}; // in the order in which they are tried

    bool operator==(const WorkPorts&) const = default;
};

// What a bee is told when it is launched.
struct Setup {
    Identity self;
    WorkPorts ports{};
};

using Environment = std::map<std::string, std::string>;

// The same environment variables on every runtime, those of seed 001 §2.3 among them.
Environment environment_of(const Identity& self);
Environment environment_of(const Setup& setup);

std::span<const char* const> setup_variables(); // every name that the above may write

// The error names the variable that is missing or wrong.
Result<Identity> read_identity(const Environment& environment);
Result<Setup> read_setup(const Environment& environment);

} // namespace hive::worker
