#pragma once

#include "accounts/principal.hpp"
#include "accounts/session.hpp"
#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace hive::accounts {

struct DevicePolicy {
    Duration valid_for = std::chrono::minutes{10};
    Duration interval = std::chrono::seconds{5}; // between two polls
    std::size_t most = 1024;
};

struct DeviceEntropy {
    TokenEntropy device_code{};
    std::array<std::uint8_t, 8> user_code{};
};

struct DeviceStart {
    Secret device_code;    // for the program, which polls with it
    std::string user_code; // for the person, who types it: `BCDF-GHJK`
};

// What a poll is told (RFC 8628 section 3.5).
struct DevicePending {};
struct DeviceTooFast {
    Duration interval; // wait at least this long from now on
};
struct DeviceDenied {};
struct DeviceUnknown {}; // never was, expired, or fetched before
struct DeviceApproved {
    Principal person;
};
using DevicePoll =
    std::variant<DevicePending, DeviceTooFast, DeviceDenied, DeviceUnknown, DeviceApproved>;

// Sign-ins of programs without a browser: a person approves them elsewhere. Bounded; single use.
class DeviceLogins {
public:
    explicit DeviceLogins(DevicePolicy policy = {}) : policy_{policy} {}

    // Errc::limit when too many are waiting.
    Result<DeviceStart> begin(const DeviceEntropy& entropy, TimePoint now);
    // The person's answer. Errc::not_found when the code is unknown, answered or too old.
    Status approve(std::string_view user_code, Principal person, TimePoint now);
    Status deny(std::string_view user_code, TimePoint now);
    bool waits(std::string_view user_code, TimePoint now) const;

    DevicePoll poll(std::string_view device_code, TimePoint now);
    const DevicePolicy& policy() const noexcept { return policy_; }
    std::size_t size() const noexcept { return logins_.size(); }

private:
    struct Login {
        std::string user_code;
        TimePoint ends{};
        TimePoint next_poll{};
        Duration interval{};
        std::variant<DevicePending, DeviceDenied, DeviceApproved> answer{};
    };
    Login* waiting(std::string_view user_code, TimePoint now);
    void drop_expired(TimePoint now);

    DevicePolicy policy_;
    std::map<Digest, Login> logins_; // by hash of the device code
};

// As people type it: case and dashes do not matter.
std::string normal_user_code(std::string_view typed);

} // namespace hive::accounts
