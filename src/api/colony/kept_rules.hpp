#pragma once

#include "colony/approvals/repository.hpp"

#include <mutex>

namespace hive::rest {

// The approval rules as they were last read. Every act asks for them and almost nobody changes
// them: reading them each time would cost more than the acts. forget() after a change; a change by
// another server of the hive is seen within a second, when the chore of approvals forgets them.
class KeptRules {
public:
    Result<colony::approvals::RulesPtr> get(const colony::approvals::RuleRepository& book);
    void forget();

private:
    std::mutex mutex_;
    colony::approvals::RulesPtr rules_{};
};

} // namespace hive::rest
