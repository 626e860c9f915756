#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>

namespace hive::call {

enum class ConnectionMode : std::uint8_t {
    shared,     // a pool that all workers use
    per_worker, // each worker keeps connections of its own
    none,       // a connection for every call
};

struct Timeouts {
    Duration connect = std::chrono::seconds{5};     // name, TCP and TLS together
    Duration first_byte = std::chrono::seconds{30}; // from the request's last byte
    Duration total = std::chrono::seconds{60};      // with retries and redirects
};

struct Options {
    std::size_t concurrency = 50;   // calls under way at a time
    std::size_t waiting_max = 4096; // calls that may wait for their turn
    ConnectionMode mode = ConnectionMode::shared;
    std::size_t connections_max = SIZE_MAX;       // in shared mode also bounds the concurrency
    Duration idle_max = std::chrono::seconds{60}; // an unused connection is closed after that
    Timeouts timeouts{};
    std::size_t head_bytes_max = 65'536;                    // of an answer; at most 65,536
    std::uint64_t body_bytes_max = std::uint64_t{1} << 30U; // more is an error
    std::size_t kept_body_bytes = 65'536;                   // more is counted and thrown away
    std::uint32_t redirects_max = 0;                        // 0: a redirect is an answer
    std::uint32_t tcp_retries = 0;
    Duration dns_ttl = std::chrono::seconds{30};
};

Status check(const Options& options);

} // namespace hive::call
