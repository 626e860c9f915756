#pragma once

#include "orchestrator/queen.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace hive::orchestrator {

// Swarms as people see them: written by the queen, read from any thread.
class Reports {
public:
    // The newest of what she knows; aggregates stay as they are.
    SwarmReportPtr update(const Swarm& swarm);
    // A controller's status. A delta says only what changes often.
    void hear(const wire::Envelope& envelope);
    void forget(const SwarmId& swarm);

    std::vector<SwarmReportPtr> all() const;
    SwarmReportPtr find(const SwarmId& swarm) const;

private:
    struct Aggregate {
        json::object context{};
        std::optional<Timestamp> at{};
    };

    mutable std::mutex mutex_;
    std::map<SwarmId, SwarmReportPtr> reports_;
    std::map<SwarmId, Aggregate> aggregates_; // hers alone
};

} // namespace hive::orchestrator
