#pragma once

#include "accounts/rate_limit.hpp"
#include "api/rate_limiter.hpp"
#include "kernel/clock.hpp"

#include <map>
#include <mutex>
#include <string>

namespace hive::rest {

// Quota per minute of each class of routes; a class that is not named has that of `default`. Zero:
// no limit.
using Quotas = std::map<std::string, std::uint32_t, std::less<>>;
Quotas default_quotas();

// A bucket for each key and route; who has no key shares that of their address.
class Rates final : public api::RateLimiter {
public:
    Rates(Quotas quotas, const Clock& clock) : quotas_{std::move(quotas)}, clock_{&clock} {}

    api::RateVerdict
    take(const api::Route& route, const api::Principal* who, const http::Peer& peer) override;

private:
    std::uint32_t quota_of(const std::string& rate_class) const;

    Quotas quotas_;
    const Clock* clock_;
    std::mutex mutex_;
    accounts::RateLimiter buckets_;
};

} // namespace hive::rest
