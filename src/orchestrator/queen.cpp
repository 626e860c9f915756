#include "orchestrator/queen.hpp"

#include "orchestrator/queen_shell.hpp"

#include <utility>

namespace hive::orchestrator {

Queen::Queen(std::unique_ptr<Shell> shell) : shell_{std::move(shell)} {}

Queen::~Queen() = default;

Result<std::unique_ptr<Queen>> Queen::start(QueenOptions options, QueenParts parts) {
    auto kept = parts.keeper.load();
    if (!kept) return fail(kept.error());
    auto shell = std::make_unique<Shell>(std::move(options), std::move(parts), *std::move(kept));
    shell->begin();
    return std::unique_ptr<Queen>{new Queen{std::move(shell)}};
}

void Queen::ask(Ask ask, RiderPtr rider, std::function<void(Status)> answered) {
    shell_->ask(std::move(ask), std::move(rider), std::move(answered));
}

Subscription
Queen::when_ended(const std::string& correlation_id, std::function<void(const Ended&)> tell) {
    return shell_->endings().when(correlation_id, std::move(tell));
}

std::vector<SwarmReportPtr> Queen::swarms() const {
    return shell_->reports().all();
}

SwarmReportPtr Queen::find(const SwarmId& swarm) const {
    return shell_->reports().find(swarm);
}

void Queen::request_status(const wire::Scope& target) {
    shell_->request_status(target);
}

const Settings& Queen::settings() const noexcept {
    return shell_->options().settings;
}

} // namespace hive::orchestrator
