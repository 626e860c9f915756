#pragma once

#include "api/access.hpp"
#include "api/http/request.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::api {

struct Route;

// The state of one bucket after a request was counted against it.
struct RateVerdict {
    bool allowed = true;
    std::string policy{}; // name of the bucket; empty when the request is not limited
    std::uint64_t quota = 0;
    std::uint64_t window_sec = 0;
    std::uint64_t remaining = 0;
    std::uint64_t reset_sec = 0; // until there is room again
};

// Port: counts requests per principal (or peer) and route. From every thread at once.
class RateLimiter {
public:
    virtual ~RateLimiter() = default;
    virtual RateVerdict take(const Route& route, const Principal* who, const http::Peer& peer) = 0;
};

} // namespace hive::api
