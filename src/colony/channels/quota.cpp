#include "colony/channels/quota.hpp"

#include "colony/stored.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hive::colony::channels {
namespace {

constexpr Duration minute = std::chrono::minutes{1};
constexpr Duration day = std::chrono::hours{24};

void refill(Spoken& spoken, const QuotaPolicy& policy, Timestamp now) {
    if (!spoken.filled) {
        spoken.tokens = policy.per_minute;
    } else if (now > *spoken.filled) {
        const double minutes = std::chrono::duration<double>(now - *spoken.filled) /
                               std::chrono::duration<double>(minute);
        spoken.tokens =
            std::min<double>(policy.per_minute, spoken.tokens + minutes * policy.per_minute);
    }
    spoken.filled = std::max(now, spoken.filled.value_or(now));
    const auto today = std::chrono::floor<std::chrono::days>(now);
    if (spoken.day != today) {
        spoken.day = today;
        spoken.today = 0;
    }
}

Duration until_token(const Spoken& spoken, const QuotaPolicy& policy) {
    if (spoken.tokens >= 1) return {};
    const double minutes = (1 - spoken.tokens) / std::max(policy.per_minute, 1);
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double, std::ratio<60>>(minutes));
}

} // namespace

Allowance allowance(const Spoken& before, const QuotaPolicy& policy, Timestamp now) {
    Spoken spoken = before;
    refill(spoken, policy, now);
    Allowance out{
        .left_now = static_cast<int>(std::floor(spoken.tokens)),
        .left_today = std::max(0, policy.per_day - spoken.today)};
    if (spoken.silent_until > now) {
        out.verdict = Admission::cooling;
        out.again_in = spoken.silent_until - now;
    } else if (out.left_today == 0) {
        out.verdict = Admission::over_day;
        out.again_in = spoken.day + day - now;
    } else if (out.left_now == 0) {
        out.verdict = Admission::too_fast;
        out.again_in = until_token(spoken, policy);
    }
    if (out.verdict != Admission::admitted) out.left_now = 0;
    return out;
}

Allowance admit(Spoken& spoken, const QuotaPolicy& policy, Timestamp now) {
    Allowance out = allowance(spoken, policy, now);
    refill(spoken, policy, now);
    if (out.verdict == Admission::admitted) {
        spoken.tokens -= 1;
        ++spoken.today;
        --out.left_now;
        --out.left_today;
        return out;
    }
    if (out.verdict != Admission::too_fast) return out;
    if (spoken.strikes == 0 || now - spoken.first_strike > minute) {
        spoken.strikes = 0;
        spoken.first_strike = now;
    }
    if (++spoken.strikes < policy.strikes_max) return out;
    spoken.strikes = 0;
    spoken.silent_until = now + policy.cooldown;
    out.verdict = Admission::cooling;
    out.again_in = policy.cooldown;
    out.tripped = true;
    return out;
}

std::string_view name_of(Admission verdict) noexcept {
    constexpr std::array<std::string_view, 4> names{"admitted", "too-fast", "over-day", "cooling"};
    return names.at(static_cast<std::size_t>(verdict));
}

std::string to_stored(const Spoken& spoken) {
    json::object out{
        {"tokens", spoken.tokens},
        {"day", spoken.day.time_since_epoch().count()},
        {"today", spoken.today},
        {"strikes", spoken.strikes},
        {"firstStrike", spoken.first_strike.time_since_epoch().count()},
        {"silentUntil", spoken.silent_until.time_since_epoch().count()}};
    if (spoken.filled) out["filled"] = spoken.filled->time_since_epoch().count();
    return to_text(out);
}

Result<Spoken> spoken_from_stored(std::string_view text) {
    return read_stored("quota", text, [](const json::object& in) {
        const auto time = [&](std::string_view name) {
            return Timestamp{Duration{in.at(name).to_number<std::int64_t>()}};
        };
        Spoken spoken{
            .tokens = in.at("tokens").to_number<double>(),
            .day = time("day"),
            .today = in.at("today").to_number<int>(),
            .strikes = in.at("strikes").to_number<int>(),
            .first_strike = time("firstStrike"),
            .silent_until = time("silentUntil")};
        if (in.contains("filled")) spoken.filled = time("filled");
        return spoken;
    });
}

} // namespace hive::colony::channels
