#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hive::accounts {

// `quota` requests per `window`, refilled continuously; a full bucket allows a burst of `quota`.
struct RatePolicy {
    std::string name;
    std::uint32_t quota = 600;
    Duration window = std::chrono::minutes{1};
};

struct RateDecision {
    bool allowed = false;
    std::uint32_t remaining = 0; // whole requests left now
    Duration full_in{0};         // until the bucket is full again
    Duration retry_after{0};     // until the next request fits; zero when allowed
};

// One caller at one endpoint class.
class TokenBucket {
public:
    TokenBucket(const RatePolicy& policy, TimePoint now)
        : tokens_{static_cast<double>(policy.quota)}, updated_{now} {}

    RateDecision take(const RatePolicy& policy, TimePoint now);
    bool full(const RatePolicy& policy, TimePoint now) const;

private:
    double refilled(const RatePolicy& policy, TimePoint now) const;

    double tokens_;
    TimePoint updated_;
};

// Buckets by (caller, policy name). At most `callers_max`: beyond that the one used longest ago
// goes. That caller regains a full bucket, which is the lesser evil: memory stays bounded under a
// flood of made-up callers, and a caller that keeps knocking is never the oldest.
class RateLimiter {
public:
    explicit RateLimiter(std::size_t callers_max = 65'536) : callers_max_{callers_max} {}

    RateDecision take(std::string_view caller, const RatePolicy& policy, TimePoint now);
    std::size_t size() const noexcept { return buckets_.size(); }

private:
    struct Entry {
        std::string key;
        TokenBucket bucket;
    };
    std::size_t callers_max_;
    std::list<Entry> by_use_; // most recent first
    std::unordered_map<std::string_view, std::list<Entry>::iterator> buckets_;
};

// The three values of the standard header fields, e.g. for `RateLimit: "default";r=12;t=30`.
std::string rate_limit_field(const RatePolicy& policy, const RateDecision& decision);
std::string rate_limit_policy_field(const RatePolicy& policy);

} // namespace hive::accounts
