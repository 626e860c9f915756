#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/chores.hpp"
#include "api/rest/command_desk.hpp"
#include "api/rest/swarm_court.hpp"
#include "colony/approvals/approval.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace hive::rest {

// Brings approved swarm commands to the orchestrator. A command is noted as done in the very
// transaction that keeps its wish, so that it is done once, whoever dies in between: what is not
// noted is brought again.
class SwarmCourier : public std::enable_shared_from_this<SwarmCourier> {
public:
    SwarmCourier(SwarmCourt& court, const Clock& clock, HiveId hive)
        : court_{&court}, clock_{&clock}, hive_{std::move(hive)} {}

    static Chore chore(const std::shared_ptr<SwarmCourier>& courier, ColonyParts& colony);

private:
    using Approval = colony::approvals::Approval;
    struct Errand; // one command on its way

    Status round(Workplace& place); // a unit: what was refused is noted, what is pending goes
    Status note_refusals(Workplace& place);
    void bring(const Approval& approval);
    void bring_next(const std::shared_ptr<Errand>& errand);
    void answered(const std::shared_ptr<Errand>& errand, const Status& status);
    bool is_ours(const Errand& errand) const;
    void over(const std::string& approval, const std::string& refusal);

    SwarmCourt* court_;
    const Clock* clock_;
    HiveId hive_;
    std::mutex mutex_; // guards what follows
    std::set<std::string> under_way_;
    std::map<std::string, std::string> refused_; // and why; until that is noted
};

} // namespace hive::rest
