#pragma once

#include "api/colony/claim_room.hpp"
#include "api/colony/colony_policy.hpp"
#include "api/colony/kept_rules.hpp"
#include "api/colony/unit.hpp"
#include "api/rest/held_answer.hpp"
#include "api/rest/swarm_court.hpp"
#include "colony/approvals/asking.hpp"
#include "colony/bees/bee.hpp"
#include "colony/channels/posting.hpp"
#include "colony/tasks/bench.hpp"
#include "store/approval_tables.hpp"
#include "store/bee_tables.hpp"
#include "store/message_tables.hpp"
#include "store/task_tables.hpp"

namespace hive::rest {

// What the colony's routes and chores share; outlives the server.
struct ColonyParts {
    ColonyPolicy policy{};
    ClaimRoom room{};
    KeptRules rules{};
    const SwarmCourt* court = nullptr; // who knows of workload bees; null: there are none
};

// The places of the colony in one unit: where its use cases act.
class Workplace {
public:
    Workplace(Unit& unit, ColonyParts& parts)
        : unit_{&unit}, parts_{&parts}, tasks_{unit.session(), unit.hive()},
          messages_{unit.session(), unit.hive()}, bees_{unit.session(), unit.hive()},
          rules_{unit.session(), unit.hive()}, approvals_{unit.session(), unit.hive()},
          links_{unit.session(), unit.hive()},
          gate_{[this] { return parts_->rules.get(rules_); }, approvals_},
          bench_{tasks_, gate_, unit.moment()},
          desk_{messages_, unit.moment(), parts.policy.quota, gate_}, hall_{bees_, unit.moment()},
          council_{approvals_, links_, unit.moment()} {}
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    colony::tasks::Bench& bench() noexcept { return bench_; }
    colony::channels::Desk& desk() noexcept { return desk_; }
    colony::bees::Hall& hall() noexcept { return hall_; }
    colony::approvals::Council& council() noexcept { return council_; }
    store::ApprovalRuleTable& rules() noexcept { return rules_; }
    // Others have to read the rules again.
    void rules_changed() { parts_->rules.forget(); }
    colony::Gate& gate() noexcept { return gate_; }
    colony::Moment& moment() noexcept { return unit_->moment(); }
    store::TaskTable& tasks() noexcept { return tasks_; }
    store::MessageTable& messages() noexcept { return messages_; }
    const ColonyPolicy& policy() const noexcept { return parts_->policy; }
    const colony::Actor& actor() const noexcept { return unit_->moment().actor(); }

    // A paused bee gets no new task. `bee`: empty is whoever acts.
    colony::Outcome<void> check_may_claim(const std::string& bee);

    // A bee that did something was there, bees that wait hear of tasks they can take, and nobody
    // has to decide about a task that was cancelled. Called last, when the act was not refused.
    Result<http::Response> leave(http::Response answer);

private:
    colony::Outcome<void> drop_needless_requests();

    Unit* unit_;
    ColonyParts* parts_;
    store::TaskTable tasks_;
    store::MessageTable messages_;
    store::BeeTable bees_;
    store::ApprovalRuleTable rules_;
    store::ApprovalTable approvals_;
    store::ApprovalLinkTable links_;
    colony::approvals::RuleGate gate_;
    colony::tasks::Bench bench_;
    colony::channels::Desk desk_;
    colony::bees::Hall hall_;
    colony::approvals::Council council_;
};

// One act of a caller in the colony.
using PlaceWork = std::function<Result<http::Response>(Workplace& place, const Unit& unit)>;
asio::awaitable<http::Response>
act_in_colony(SessionParts sessions, ColonyParts& colony, api::Call call, PlaceWork work);

} // namespace hive::rest
