#include "run/roster.hpp"

#include <algorithm>
#include <utility>

namespace hive::run {

Roster::Roster(std::vector<std::string> instances) : instances_{std::move(instances)} {
    ask();
}

void Roster::ask() {
    silent_ = {instances_.begin(), instances_.end()};
}

void Roster::hear(BeeSight bee) {
    if (std::ranges::find(instances_, bee.instance) == instances_.end()) return;
    silent_.erase(bee.instance);
    std::string instance = bee.instance;
    newest_.insert_or_assign(std::move(instance), std::move(bee));
}

void Roster::tell(Sight& sight) const {
    sight.bees.clear();
    for (const std::string& instance : instances_) {
        if (const auto seen = newest_.find(instance); seen != newest_.end()) {
            sight.bees.push_back(seen->second);
        }
    }
    sight.silent = silent_;
}

} // namespace hive::run
