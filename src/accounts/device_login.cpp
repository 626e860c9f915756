#include "accounts/device_login.hpp"

#include <algorithm>

namespace hive::accounts {
namespace {

// Consonants that are hard to mistake for one another, and spell no words.
constexpr std::string_view letters = "BCDFGHJKLMNPQRSTVWXZ";
constexpr std::size_t half = 4;

std::string spell(const std::array<std::uint8_t, 8>& entropy) {
    std::string out;
    for (const std::uint8_t byte : entropy) {
        if (out.size() == half) out += '-';
        out += letters[byte % letters.size()];
    }
    return out;
}

auto unknown_code() {
    return fail(Errc::not_found, "this code is unknown, was answered already, or is too old");
}

} // namespace

std::string normal_user_code(std::string_view typed) {
    std::string out;
    for (const char c : typed) {
        const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        if (letters.find(upper) == letters.npos) continue;
        if (out.size() == half) out += '-';
        out += upper;
    }
    return out;
}

Result<DeviceStart> DeviceLogins::begin(const DeviceEntropy& entropy, TimePoint now) {
    drop_expired(now);
    if (logins_.size() >= policy_.most) {
        return fail(Errc::limit, "too many sign-ins are waiting for approval; try again later");
    }
    Token code = make_token(entropy.device_code);
    std::string user_code = spell(entropy.user_code);
    if (waiting(user_code, now) != nullptr) {
        return fail(Errc::limit, "try again"); // one in ten billion
    }
    logins_.insert_or_assign(
        code.hash, Login{
                       .user_code = user_code,
                       .ends = now + policy_.valid_for,
                       .next_poll = now,
                       .interval = policy_.interval});
    return DeviceStart{std::move(code.text), std::move(user_code)};
}

Status DeviceLogins::approve(std::string_view user_code, Principal person, TimePoint now) {
    Login* login = waiting(normal_user_code(user_code), now);
    if (login == nullptr) return unknown_code();
    login->answer = DeviceApproved{std::move(person)};
    return {};
}

Status DeviceLogins::deny(std::string_view user_code, TimePoint now) {
    Login* login = waiting(normal_user_code(user_code), now);
    if (login == nullptr) return unknown_code();
    login->answer = DeviceDenied{};
    return {};
}

bool DeviceLogins::waits(std::string_view user_code, TimePoint now) const {
    const std::string code = normal_user_code(user_code);
    return std::ranges::any_of(logins_, [&](const auto& entry) {
        const Login& login = entry.second;
        return login.user_code == code && login.ends > now &&
               std::holds_alternative<DevicePending>(login.answer);
    });
}

DevicePoll DeviceLogins::poll(std::string_view device_code, TimePoint now) {
    drop_expired(now);
    const auto at = logins_.find(hash_token(device_code));
    if (at == logins_.end()) return DeviceUnknown{};
    Login& login = at->second;
    if (std::holds_alternative<DevicePending>(login.answer)) {
        if (now < login.next_poll) {
            login.interval += policy_.interval; // as the RFC has it, for all polls to come
            login.next_poll = now + login.interval;
            return DeviceTooFast{login.interval};
        }
        login.next_poll = now + login.interval;
        return DevicePending{};
    }
    DevicePoll answer = DeviceDenied{};
    if (auto* approved = std::get_if<DeviceApproved>(&login.answer)) answer = std::move(*approved);
    logins_.erase(at);
    return answer;
}

DeviceLogins::Login* DeviceLogins::waiting(std::string_view user_code, TimePoint now) {
    for (auto& [hash, login] : logins_) {
        if (login.user_code == user_code && login.ends > now &&
            std::holds_alternative<DevicePending>(login.answer)) {
            return &login;
        }
    }
    return nullptr;
}

void DeviceLogins::drop_expired(TimePoint now) {
    std::erase_if(logins_, [&](const auto& entry) { return entry.second.ends <= now; });
}

} // namespace hive::accounts
