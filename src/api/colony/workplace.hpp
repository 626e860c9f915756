#pragma once

#include "api/colony/claim_room.hpp"
#include "api/colony/colony_policy.hpp"
#include "api/colony/last_read.hpp"
#include "api/colony/unit.hpp"
#include "api/rest/held_answer.hpp"
#include "api/rest/swarm_court.hpp"
#include "colony/approvals/asking.hpp"
#include "colony/bees/bee.hpp"
#include "colony/channels/posting.hpp"
#include "colony/costs/booking.hpp"
#include "colony/tasks/bench.hpp"
#include "store/approval_tables.hpp"
#include "store/bee_tables.hpp"
#include "store/cost_tables.hpp"
#include "store/message_tables.hpp"
#include "store/task_tables.hpp"

namespace hive::rest {

class FileSync;

// What the colony's routes and chores share; outlives the server.
struct ColonyParts {
    ColonyPolicy policy{};
    ClaimRoom room{};
    KeptRules rules{};
    KeptBudgets budgets{};
    const SwarmCourt* court = nullptr;     // who knows of workload bees; null: there are none
    FileSync* files = nullptr;             // none: no files are kept in step
    colony::tasks::Zones* zones = nullptr; // none: recurring tasks are due by UTC
};

// The places of the colony in one unit: where its use cases act.
class Workplace {
public:
    Workplace(Unit& unit, ColonyParts& parts)
        : unit_{&unit}, parts_{&parts}, tasks_{unit.session(), unit.hive()},
          messages_{unit.session(), unit.hive()}, bees_{unit.session(), unit.hive()},
          rules_{unit.session(), unit.hive()}, approvals_{unit.session(), unit.hive()},
          links_{unit.session(), unit.hive()}, usage_{unit.session(), unit.hive()},
          prices_{unit.session(), unit.hive()}, budgets_{unit.session(), unit.hive()},
          rule_gate_{[this] { return parts_->rules.get(rules_); }, approvals_}, gate_{*this},
          bench_{tasks_.book(), gate_, unit.moment(), parts.zones},
          desk_{messages_.book(), unit.moment(), parts.policy.quota, gate_},
          hall_{bees_, unit.moment()}, council_{approvals_, links_, unit.moment()},
          accounts_{usage_, prices_, budgets_, unit.moment(), parts.policy.currency} {}
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    colony::tasks::Bench& bench() noexcept { return bench_; }
    colony::channels::Desk& desk() noexcept { return desk_; }
    colony::bees::Hall& hall() noexcept { return hall_; }
    colony::approvals::Council& council() noexcept { return council_; }
    store::ApprovalRuleTable& rules() noexcept { return rules_; }
    colony::costs::Accounts& accounts() noexcept { return accounts_; }
    // What was kept of them has to be read again.
    void rules_changed() { parts_->rules.forget(); }
    void budgets_changed() { parts_->budgets.forget(); }
    colony::Gate& gate() noexcept { return gate_; }
    colony::Moment& moment() noexcept { return unit_->moment(); }
    colony::tasks::TaskBook tasks() noexcept { return tasks_.book(); }
    colony::channels::MessageBook messages() noexcept { return messages_.book(); }
    colony::tasks::Zones* zones() const noexcept { return parts_->zones; }
    const ColonyPolicy& policy() const noexcept { return parts_->policy; }
    const colony::Actor& actor() const noexcept { return unit_->moment().actor(); }

    // A paused bee gets no new task, nor one whose budget is used up. `bee`: empty is whoever acts.
    colony::Outcome<void> check_may_claim(const std::string& bee);

    // A bee that did something was there, bees that wait hear of tasks they can take, and nobody
    // has to decide about a task that was cancelled. Called last, when the act was not refused.
    Result<http::Response> leave(http::Response answer);

private:
    // Rules, and before them budgets: a task that has spent its own is not claimed.
    class BudgetGate final : public colony::Gate {
    public:
        explicit BudgetGate(Workplace& place) : place_{&place} {}
        Result<colony::Verdict> ask(const colony::Act& act, colony::Moment& moment) override;
        Result<bool> cares(std::string_view what) override;
        Result<bool> minds(const colony::Act& act, const colony::Actor& who) override;

    private:
        Workplace* place_;
    };
    // Why a task cannot be begun; empty: it can.
    Result<std::string> spent_budget_of(const colony::Act& act);
    colony::Outcome<void> check_budgets(const colony::costs::Asker& who);
    colony::Outcome<void> drop_needless_requests();

    Unit* unit_;
    ColonyParts* parts_;
    store::TaskTable tasks_;
    store::MessageTable messages_;
    store::BeeTable bees_;
    store::ApprovalRuleTable rules_;
    store::ApprovalTable approvals_;
    store::ApprovalLinkTable links_;
    store::UsageTable usage_;
    store::PriceTable prices_;
    store::BudgetTable budgets_;
    colony::approvals::RuleGate rule_gate_;
    BudgetGate gate_;
    colony::tasks::Bench bench_;
    colony::channels::Desk desk_;
    colony::bees::Hall hall_;
    colony::approvals::Council council_;
    colony::costs::Accounts accounts_;
};

// One act of a caller in the colony.
using PlaceWork = std::function<Result<http::Response>(Workplace& place, const Unit& unit)>;
asio::awaitable<http::Response>
act_in_colony(SessionParts sessions, ColonyParts& colony, api::Call call, PlaceWork work);

} // namespace hive::rest
