#include "accounts/login_throttle.hpp"

#include <algorithm>

namespace hive::accounts {

Duration LoginThrottle::pause_left(std::string_view subject, TimePoint now) const {
    const auto found = subjects_.find(subject);
    if (found == subjects_.end()) return Duration::zero();
    return std::max(found->second->closed_until - now, Duration::zero());
}

void LoginThrottle::failed(std::string_view subject, TimePoint now) {
    if (const auto found = subjects_.find(subject); found != subjects_.end()) {
        by_failure_.splice(by_failure_.begin(), by_failure_, found->second);
    } else {
        if (subjects_.size() >= policy_.subjects_max) {
            subjects_.erase(by_failure_.back().subject);
            by_failure_.pop_back();
        }
        by_failure_.push_front({.subject = std::string{subject}, .last = now});
        subjects_.emplace(by_failure_.front().subject, by_failure_.begin());
    }
    Entry& entry = by_failure_.front();
    if (now - entry.last > policy_.forget_after) entry.failures = 0;
    entry.last = now;
    ++entry.failures;
    if (entry.failures < policy_.free_failures) return;
    Duration pause = policy_.first_pause;
    for (auto n = policy_.free_failures; n < entry.failures && pause < policy_.longest_pause; ++n) {
        pause *= 2;
    }
    entry.closed_until = now + std::min(pause, policy_.longest_pause);
}

void LoginThrottle::succeeded(std::string_view subject) {
    const auto found = subjects_.find(subject);
    if (found == subjects_.end()) return;
    const auto entry = found->second;
    subjects_.erase(found);
    by_failure_.erase(entry);
}

} // namespace hive::accounts
