#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "wire/envelope.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hive::run {

// A bee, as its newest full status tells.
struct BeeSight {
    std::string role{};
    std::string instance{};
    bool enabled = false;
    std::uint64_t per_sec = 0;
    wire::Flow flow{};
    json::object work{}; // what its workload says of itself
};

// A buffer guard, as its controller tells.
struct GuardSight {
    std::string queue{};
    std::string state{};
    double depth = 0;
    double target = 0;
    double rate = 0;
    double min = 0; // of its bracket
    double max = 0;
};

// The bees of a swarm and its queues at one moment.
struct Sight {
    TimePoint at{};
    std::vector<BeeSight> bees{}; // in the order of the scenario
    // Bees that did not answer this look: what is said of them is old, or nothing.
    std::set<std::string> silent{};
    std::map<std::string, std::uint64_t> depths{}; // by the scenario's names of the queues
    std::set<std::string> unread{};                // of these queues, those that no bee reads
    std::vector<GuardSight> guards{};
};

// Nothing when it is no full status of a bee.
std::optional<BeeSight> bee_of(const wire::Envelope& envelope);

// Of a controller's status; none when it has no guards or is none.
std::vector<GuardSight> guards_of(const wire::Envelope& envelope);

// "ok", or the side that is not, such as "throttled".
std::string state_of(const BeeSight& bee);

// Makes items of its own, by a schedule or from a dataset.
bool produces(const BeeSight& bee);
std::uint64_t processed(const BeeSight& bee); // items that it has ended
// Whatever it took in has gone on.
bool idle(const BeeSight& bee);

} // namespace hive::run
