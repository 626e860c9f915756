#include "api/rest/rates.hpp"

#include "api/route.hpp"

#include <fmt/format.h>

#include <chrono>

namespace hive::rest {

Quotas default_quotas() {
    return {{"default", 1200}, {"login", 30}, {"events", 120}, {"system", 0}, {"audit", 120}};
}

std::uint32_t Rates::quota_of(const std::string& rate_class) const {
    auto at = quotas_.find(rate_class);
    if (at == quotas_.end()) at = quotas_.find("default");
    return at == quotas_.end() ? 0 : at->second;
}

api::RateVerdict
Rates::take(const api::Route& route, const api::Principal* who, const http::Peer& peer) {
    const std::uint32_t quota = quota_of(route.rate_class);
    if (quota == 0) return {};
    const accounts::RatePolicy policy{.name = route.id, .quota = quota};
    const std::string caller = who ? who->proof_id + '/' + who->id : peer.address;
    accounts::RateDecision decision;
    {
        const std::lock_guard lock{mutex_};
        decision = buckets_.take(caller, policy, clock_->now());
    }
    const auto seconds = [](Duration span) {
        return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(span).count());
    };
    return {
        .allowed = decision.allowed,
        .policy = route.id,
        .quota = quota,
        .window_sec = seconds(policy.window),
        .remaining = decision.remaining,
        .reset_sec = seconds(decision.allowed ? decision.full_in : decision.retry_after)};
}

} // namespace hive::rest
