#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <vector>

namespace hive::colony::webhooks {

struct Policy {
    // Waits between attempts: after the last of them a delivery has failed.
    std::vector<Duration> retries{
        std::chrono::seconds{5}, std::chrono::minutes{5}, std::chrono::minutes{30},
        std::chrono::hours{2},   std::chrono::hours{5},   std::chrono::hours{10},
        std::chrono::hours{14},  std::chrono::hours{20},  std::chrono::hours{24}};
    double jitter = 0.2;                                 // of each wait, either way
    Duration retry_after_max = std::chrono::hours{24};   // a receiver may ask for this much
    Duration attempt_within = std::chrono::seconds{15};  // one delivery, from connecting to the end
    Duration disable_after = std::chrono::hours{24 * 5}; // of nothing but failures
    Duration overlap = std::chrono::hours{24};   // how long an old secret signs after a rotation
    Duration keep = std::chrono::hours{24 * 30}; // what has ended
    std::size_t log_max = 100'000;               // deliveries of one endpoint that are kept
    std::size_t under_way_max = 4;               // attempts at one endpoint at the same time
};

inline constexpr std::size_t endpoints_max = 64;
inline constexpr std::size_t payload_bytes_max = std::size_t{256} << 10U;
inline constexpr std::size_t answer_bytes_kept = 512;
inline constexpr std::size_t answer_bytes_max = std::size_t{256} << 10U;
inline constexpr std::size_t attempts_kept = 12;

} // namespace hive::colony::webhooks
