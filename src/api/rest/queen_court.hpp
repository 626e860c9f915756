#pragma once

#include "api/rest/swarm_court.hpp"

#include <utility>

namespace hive::rest {

class QueenCourt final : public SwarmCourt {
public:
    explicit QueenCourt(orchestrator::Queen& queen) : queen_{&queen} {}

    void
    ask(orchestrator::Queen::Ask ask, orchestrator::RiderPtr rider,
        std::function<void(Status)> answered) override {
        queen_->ask(std::move(ask), std::move(rider), std::move(answered));
    }
    Subscription when_ended(
        const std::string& correlation_id,
        std::function<void(const orchestrator::Ended&)> tell) override {
        return queen_->when_ended(correlation_id, std::move(tell));
    }
    std::vector<orchestrator::SwarmReportPtr> swarms() const override { return queen_->swarms(); }
    orchestrator::SwarmReportPtr find(const SwarmId& swarm) const override {
        return queen_->find(swarm);
    }
    void request_status(const wire::Scope& target) override { queen_->request_status(target); }
    const orchestrator::Settings& settings() const override { return queen_->settings(); }

private:
    orchestrator::Queen* queen_;
};

} // namespace hive::rest
