#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "orchestrator/queen.hpp"
#include "store/journal_tables.hpp"
#include "store/swarm_tables.hpp"

#include <string>
#include <vector>

namespace hive::rest {

// When a report counts as stale, and as of when.
struct Freshness {
    Timestamp now;
    Duration stale_after;
};

// A line of a listing, and everything about one swarm.
json::object swarm_summary(const orchestrator::SwarmReport& report, const Freshness& fresh);
json::object swarm_details(const orchestrator::SwarmReport& report, const Freshness& fresh);

// What would not be refused and makes sense now: start, stop, config, remove.
json::array allowed_actions(const orchestrator::Swarm& swarm);

// How a command ended. `succeeded` says whether it did what it is for.
json::object to_json(const orchestrator::Ended& ended);

json::object to_json(const store::JournalRow& row);
json::object to_json(const orchestrator::JournalEntry& entry); // as on the event stream
json::object to_json(const store::RunRow& run);

std::string_view name_of(orchestrator::Severity severity) noexcept;

} // namespace hive::rest
