#include "accounts/rate_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hive::accounts {
namespace {

double seconds(Duration d) {
    return std::chrono::duration<double>(d).count();
}

Duration from_seconds(double s) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::max(0.0, s)));
}

double rate_of(const RatePolicy& policy) {
    assert(policy.quota > 0 && policy.window > Duration::zero());
    return policy.quota / seconds(policy.window);
}

std::int64_t whole_seconds_up(Duration d) {
    return std::chrono::ceil<std::chrono::seconds>(d).count();
}

} // namespace

double TokenBucket::refilled(const RatePolicy& policy, TimePoint now) const {
    const double gained = seconds(std::max(now - updated_, Duration::zero())) * rate_of(policy);
    return std::min<double>(policy.quota, tokens_ + gained);
}

bool TokenBucket::full(const RatePolicy& policy, TimePoint now) const {
    return refilled(policy, now) >= policy.quota;
}

RateDecision TokenBucket::take(const RatePolicy& policy, TimePoint now) {
    // The refill is computed in floating point; a request due exactly now must not fail by 1e-12.
    constexpr double slack = 1e-9;
    tokens_ = refilled(policy, now);
    updated_ = std::max(updated_, now);
    RateDecision decision{.allowed = tokens_ + slack >= 1.0};
    if (decision.allowed) {
        tokens_ = std::max(0.0, tokens_ - 1.0);
    } else {
        decision.retry_after = from_seconds((1.0 - tokens_) / rate_of(policy));
    }
    decision.remaining = static_cast<std::uint32_t>(std::floor(tokens_ + slack));
    decision.full_in = from_seconds((policy.quota - tokens_) / rate_of(policy));
    return decision;
}

RateDecision RateLimiter::take(std::string_view caller, const RatePolicy& policy, TimePoint now) {
    // The unit separator cannot occur in a caller id or a policy name, so pairs never collide.
    std::string key = fmt::format("{}\x1f{}", caller, policy.name);
    if (const auto found = buckets_.find(key); found != buckets_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, found->second);
        return found->second->bucket.take(policy, now);
    }
    if (buckets_.size() >= callers_max_) {
        buckets_.erase(by_use_.back().key);
        by_use_.pop_back();
    }
    by_use_.push_front({std::move(key), TokenBucket{policy, now}});
    buckets_.emplace(by_use_.front().key, by_use_.begin());
    return by_use_.front().bucket.take(policy, now);
}

std::string rate_limit_field(const RatePolicy& policy, const RateDecision& decision) {
    return fmt::format(
        "\"{}\";r={};t={}", policy.name, decision.remaining, whole_seconds_up(decision.full_in));
}

std::string rate_limit_policy_field(const RatePolicy& policy) {
    return fmt::format(
        "\"{}\";q={};w={}", policy.name, policy.quota, whole_seconds_up(policy.window));
}

} // namespace hive::accounts
