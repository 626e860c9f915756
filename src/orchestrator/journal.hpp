#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "wire/envelope.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hive::orchestrator {

enum class Severity : std::uint8_t { info, warn, error };

// A line of a swarm's history, derived from an envelope or from a decision of the orchestrator.
struct JournalEntry {
    Timestamp at{};
    Severity severity = Severity::info;
    std::string swarm{};
    std::string run{};
    std::string kind{}; // signal, outcome, alert, transition, request, measure
    std::string type{};
    std::string origin{};
    std::optional<std::string> correlation_id{};
    json::object data{};
};

// Signals, outcomes and alerts; nothing for statuses, which enter the journal as transitions only.
std::optional<JournalEntry> entry_of(const wire::Envelope& envelope);

} // namespace hive::orchestrator
