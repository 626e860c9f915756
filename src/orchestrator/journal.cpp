#include "orchestrator/journal.hpp"

#include "kernel/overloaded.hpp"

namespace hive::orchestrator {
namespace {

using Entry = std::optional<JournalEntry>;

// Whom it is about or meant for, and whether the orchestrator said or heard it.
void add_scope(const wire::Envelope& envelope, JournalEntry& entry) {
    entry.data["scope"] = json::object{
        {"role", envelope.scope.role.text()}, {"instance", envelope.scope.instance.text()}};
    const bool ours =
        envelope.sender.origin.text().starts_with(wire::orchestrator_role().text() + ":");
    entry.data["direction"] = ours ? "out" : "in";
}

JournalEntry frame_of(const wire::Envelope& envelope) {
    return {
        .at = envelope.sender.at,
        .swarm = std::string{envelope.scope.swarm.text()},
        .origin = envelope.sender.origin.text(),
        .correlation_id = envelope.correlation_id};
}

Entry of(const wire::Envelope& envelope, const wire::Signal& signal) {
    auto entry = frame_of(envelope);
    entry.kind = "signal";
    entry.type = name_of(signal.command);
    entry.data = signal.data;
    return entry;
}

Entry of(const wire::Envelope& envelope, const wire::Outcome& outcome) {
    auto entry = frame_of(envelope);
    entry.kind = "outcome";
    entry.type = name_of(outcome.command);
    entry.data = {{"status", name_of(outcome.status)}};
    if (outcome.context) entry.data["context"] = *outcome.context;
    if (outcome.status == wire::OutcomeStatus::failed) entry.severity = Severity::error;
    if (outcome.status == wire::OutcomeStatus::not_ready) entry.severity = Severity::warn;
    return entry;
}

Entry of(const wire::Envelope& envelope, const wire::Alert& alert) {
    auto entry = frame_of(envelope);
    entry.kind = "alert";
    entry.type = alert.code;
    entry.data = {{"message", alert.message}};
    if (alert.context) entry.data["context"] = *alert.context;
    if (alert.log_ref) entry.data["logRef"] = *alert.log_ref;
    if (alert.level == wire::AlertLevel::warn) entry.severity = Severity::warn;
    if (alert.level == wire::AlertLevel::error) entry.severity = Severity::error;
    return entry;
}

} // namespace

Entry entry_of(const wire::Envelope& envelope) {
    auto entry = std::visit(
        overloaded{
            [&](const wire::Signal& signal) { return of(envelope, signal); },
            [&](const wire::Outcome& outcome) { return of(envelope, outcome); },
            [&](const wire::Alert& alert) { return of(envelope, alert); },
            [](const auto&) { return Entry{}; },
        },
        envelope.body);
    if (entry) add_scope(envelope, *entry);
    return entry;
}

} // namespace hive::orchestrator
