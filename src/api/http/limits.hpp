#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>

namespace hive::http {

// Bounds on what one peer, one connection and one request may cost. Crossing one ends in a problem
// document or a closed connection, never in memory that grows.
struct Limits {
    std::size_t head_bytes = 16U << 10U;           // request line and all headers: 431
    std::size_t headers = 64;                      // 431
    std::size_t target_bytes = 4U << 10U;          // 414
    std::size_t body_bytes = 1U << 20U;            // 413; a route may declare its own
    std::size_t requests_per_connection = 100'000; // the last answer says `Connection: close`
    std::size_t connections = 20'000;              // over all peers: 503
    std::size_t connections_per_peer = 1'000;      // one IPv4 address or IPv6 /64: 429
    std::size_t handshakes = 256;                  // TLS handshakes under way: closed

    Duration handshake_timeout = std::chrono::seconds{10};
    Duration head_timeout = std::chrono::seconds{10};      // first to last byte of the head: 408
    Duration body_timeout = std::chrono::seconds{60};      // first to last byte of the body: 408
    Duration idle_timeout = std::chrono::seconds{75};      // between two requests
    Duration write_timeout = std::chrono::seconds{30};     // a peer that does not read an answer
    Duration linger_timeout = std::chrono::seconds{2};     // for the peer to read a refusal
    Duration sweep_every = std::chrono::milliseconds{100}; // precision of all of the above
};

} // namespace hive::http
