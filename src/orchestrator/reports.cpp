#include "orchestrator/reports.hpp"

namespace hive::orchestrator {

SwarmReportPtr Reports::update(const Swarm& swarm) {
    const Aggregate& aggregate = aggregates_[swarm.id];
    auto report =
        std::make_shared<const SwarmReport>(SwarmReport{swarm, aggregate.context, aggregate.at});
    const std::lock_guard lock{mutex_};
    reports_.insert_or_assign(swarm.id, report);
    return report;
}

void Reports::hear(const wire::Envelope& envelope) {
    const auto& id = envelope.scope.swarm.id();
    if (!id || !wire::is_controller(envelope.scope.role)) return;
    const auto* full = std::get_if<wire::StatusFull>(&envelope.body);
    const auto* delta = std::get_if<wire::StatusDelta>(&envelope.body);
    if (full == nullptr && delta == nullptr) return;
    const auto& context = full != nullptr ? full->context : delta->context;
    Aggregate& aggregate = aggregates_[*id];
    if (!context || (aggregate.at && envelope.sender.at < *aggregate.at)) return;
    aggregate.at = envelope.sender.at;
    if (full != nullptr) {
        aggregate.context = *context;
    } else {
        for (const auto& [key, value] : *context) aggregate.context[key] = value;
    }
}

void Reports::forget(const SwarmId& swarm) {
    aggregates_.erase(swarm);
    const std::lock_guard lock{mutex_};
    reports_.erase(swarm);
}

std::vector<SwarmReportPtr> Reports::all() const {
    const std::lock_guard lock{mutex_};
    std::vector<SwarmReportPtr> all;
    all.reserve(reports_.size());
    for (const auto& [id, report] : reports_) all.push_back(report);
    return all;
}

SwarmReportPtr Reports::find(const SwarmId& swarm) const {
    const std::lock_guard lock{mutex_};
    const auto found = reports_.find(swarm);
    return found == reports_.end() ? nullptr : found->second;
}

} // namespace hive::orchestrator
