#pragma once

#include "kernel/fields.hpp"
#include "pace/schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace hive::pace {

std::span<const Named<Jitter::Kind>> names_of(Jitter::Kind);

} // namespace hive::pace

namespace hive::worker {

enum class Pacing : std::uint8_t { scheduled, unlimited };
std::span<const Named<Pacing>> names_of(Pacing);

using JitterKind = pace::Jitter::Kind;

struct JitterInput {
    JitterKind kind = JitterKind::none;
    Duration max{};
    bool operator==(const JitterInput&) const = default;
};
void describe(FieldTable& fields, JitterInput& input);

// When items are due; datasets have the same settings beside their own.
struct SchedulerInput {
    Pacing pacing = Pacing::scheduled;
    double rate_per_sec = 1;
    json::value shape{}; // null: the rate
    std::uint64_t max_messages = 0;
    bool reset = false;
    bool poisson = false;
    JitterInput jitter{};
    Duration max_lag = std::chrono::seconds{60};
    std::optional<std::uint64_t> seed{};
    bool operator==(const SchedulerInput&) const = default;
};
void describe(FieldTable& fields, SchedulerInput& input);

} // namespace hive::worker
