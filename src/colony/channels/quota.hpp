#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <optional>
#include <string>

namespace hive::colony::channels {

// How much a bee may say. People are not counted.
struct QuotaPolicy {
    int per_minute = 10;
    int per_day = 1000;
    // So many refusals within a minute, and it has to be silent for the cooldown.
    int strikes_max = 5;
    Duration cooldown = std::chrono::minutes{5};

    bool operator==(const QuotaPolicy&) const = default;
};

// What one bee has said: a bucket that fills by `per_minute` a minute, and a count for the day.
struct Spoken {
    double tokens = 0;
    std::optional<Timestamp> filled{}; // none: the bucket is full
    Timestamp day{};
    int today = 0;
    int strikes = 0;
    Timestamp first_strike{};
    Timestamp silent_until{};

    bool operator==(const Spoken&) const = default;
};

enum class Admission : std::uint8_t { admitted, too_fast, over_day, cooling };

struct Allowance {
    Admission verdict = Admission::admitted;
    int left_now = 0; // messages that would be admitted at once
    int left_today = 0;
    Duration again_in{};  // when refused: the next one can be tried then
    bool tripped = false; // this refusal began a cooldown
};

// Counts one message, or the refusal of one.
Allowance admit(Spoken& spoken, const QuotaPolicy& policy, Timestamp now);
// The same question without counting anything.
Allowance allowance(const Spoken& spoken, const QuotaPolicy& policy, Timestamp now);

std::string_view name_of(Admission verdict) noexcept;
std::string to_stored(const Spoken& spoken);
Result<Spoken> spoken_from_stored(std::string_view text);

} // namespace hive::colony::channels
