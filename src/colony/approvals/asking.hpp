#pragma once

#include "colony/approvals/repository.hpp"
#include "colony/refusal.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::approvals {

// Where approvals are asked for and decided. Lives as long as the unit of work.
struct Council {
    ApprovalRepository& book;
    LinkRepository& links;
    Moment& moment;

    Timestamp now() const noexcept { return moment.now(); }
};

// The gate that the rules make.
class RuleGate final : public Gate {
public:
    using Load = std::function<Result<RulesPtr>()>;
    RuleGate(Load load, ApprovalRepository& book) : load_{std::move(load)}, book_{&book} {}

    Result<Verdict> ask(const Act& act, Moment& moment) override;
    Result<bool> cares(std::string_view what) override;
    Result<bool> minds(const Act& act, const Actor& who) override;

private:
    Load load_;
    ApprovalRepository* book_;
};

// A request that no rule made: a question to people, or what another context wants decided.
struct NewApproval {
    Act act{};
    std::string subject;
    std::vector<Evidence> evidence{};
    std::vector<Stage> stages{};
};
Outcome<Approval> open_request(Council& council, NewApproval wanted);

Outcome<Approval> find_approval(const Council& council, std::string_view id);
Outcome<Approval>
add_evidence(Council& council, std::string_view id, std::vector<Evidence> evidence);
// By whoever asked.
Outcome<Approval> withdraw(Council& council, std::string_view id, const std::string& why);
// What it was about is gone: nobody has to decide any more.
Outcome<void>
drop_requests_about(Council& council, std::string_view entity, const std::string& why);

// Used by the acts.
Outcome<void> save(Council& council, Approval& approval);
struct Ending {
    State state;
    std::string by{};
    std::string reason{};
};
void end(Council& council, Approval& approval, Ending ending);
// `approval.<what>`, to subscribers and into the audit log.
void say(Moment& moment, const Approval& approval, std::string_view what, json::object more = {});

Status check_evidence(const std::vector<Evidence>& evidence);

} // namespace hive::colony::approvals
