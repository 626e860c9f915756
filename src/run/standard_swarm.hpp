#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hive::run {

// What to call, for a run without a file. Path, headers and body may be templates.
struct Target {
    std::string url{};
    std::string method = "GET";
    std::map<std::string, std::string> headers{};
    std::string body{};
};

struct LoadWish {
    std::optional<double> per_sec{}; // none: as fast as it goes
    std::optional<Duration> length{};
    std::optional<std::uint32_t> connections{};
    Duration timeout = std::chrono::seconds{30};
};

struct StandardSwarm {
    json::object text{};                    // of a template
    std::optional<std::uint64_t> planned{}; // calls
};

// Generator, moderator, processor and post-processor.
Result<StandardSwarm> standard_swarm(const Target& target, const LoadWish& load);

} // namespace hive::run
