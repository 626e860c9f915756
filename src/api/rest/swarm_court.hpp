#pragma once

#include "orchestrator/queen.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hive::rest {

// What the REST API wants of the orchestrator; each as orchestrator::Queen has it.
class SwarmCourt {
public:
    virtual ~SwarmCourt() = default;

    virtual void
    ask(orchestrator::Queen::Ask ask, orchestrator::RiderPtr rider,
        std::function<void(Status)> answered) = 0;
    virtual Subscription when_ended(
        const std::string& correlation_id,
        std::function<void(const orchestrator::Ended&)> tell) = 0;
    virtual std::vector<orchestrator::SwarmReportPtr> swarms() const = 0;
    virtual orchestrator::SwarmReportPtr find(const SwarmId& swarm) const = 0;
    virtual void request_status(const wire::Scope& target) = 0;
    virtual const orchestrator::Settings& settings() const = 0;
};

} // namespace hive::rest
