#pragma once

#include "guard/settings.hpp"
#include "guard/state.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>

namespace hive::guard {

// Both clocks at one moment: the core knows only the first, people only the second.
struct Instant {
    TimePoint now{};
    Timestamp wall{};
};

// The guard's block of a status: depth, target, bracket, rate, estimate, state, reason, since.
json::object to_json(const State& state, const Settings& settings, const Instant& instant);

// A line for the journal; of a change it says from, to, depth, estimate and rule.
std::string to_text(const Command& command);

// The same as fields: a move has from, to, depth, estimate, target, state and rule.
json::object context_of(const Command& command);

// For the metric `buffer_guard_state`.
int code_of(Phase phase) noexcept;
// By what name_of says; any other word is `disabled`.
Phase phase_named(std::string_view name) noexcept;

// Rates for people: thousands with a comma, and only digits that mean something.
std::string shown_rate(double rate);

} // namespace hive::guard
