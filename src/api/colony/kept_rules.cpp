#include "api/colony/kept_rules.hpp"

namespace hive::rest {

using colony::approvals::Rules;
using colony::approvals::RulesPtr;

Result<RulesPtr> KeptRules::get(const colony::approvals::RuleRepository& book) {
    {
        const std::lock_guard lock{mutex_};
        if (rules_) return rules_;
    }
    auto all = book.all();
    if (!all) return fail(all.error());
    const std::lock_guard lock{mutex_};
    rules_ = std::make_shared<const Rules>(*std::move(all));
    return rules_;
}

void KeptRules::forget() {
    const std::lock_guard lock{mutex_};
    rules_.reset();
}

} // namespace hive::rest
