#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hive::accounts {

struct ThrottlePolicy {
    std::uint32_t free_failures = 5;                // before the first pause
    Duration first_pause = std::chrono::seconds{1}; // doubles with each further failure
    Duration longest_pause = std::chrono::minutes{15};
    Duration forget_after = std::chrono::hours{1}; // without a further failure
    std::size_t subjects_max = 65'536;
};

// Growing pauses after failed logins, per subject: a peer address, an account name. The pause is
// told to the caller, never slept: a sleeping server is one that can be put to sleep.
class LoginThrottle {
public:
    explicit LoginThrottle(ThrottlePolicy policy = {}) : policy_{policy} {}

    Duration pause_left(std::string_view subject, TimePoint now) const; // zero: try
    void failed(std::string_view subject, TimePoint now);
    void succeeded(std::string_view subject); // forgets the failures
    std::size_t size() const noexcept { return subjects_.size(); }

private:
    struct Entry {
        std::string subject;
        std::uint32_t failures = 0;
        TimePoint last{};
        TimePoint closed_until{};
    };

    ThrottlePolicy policy_;
    std::list<Entry> by_failure_; // most recent first
    std::unordered_map<std::string_view, std::list<Entry>::iterator> subjects_;
};

} // namespace hive::accounts
