#pragma once

#include "run/sight.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hive::run {

// What every bee of a swarm has said last. A bee that does not answer a look keeps its place with
// what it said before: counts that were there once never go away.
class Roster {
public:
    Roster() = default;
    explicit Roster(std::vector<std::string> instances); // in the order to show them

    void ask();              // a look begins: nobody has answered it
    void hear(BeeSight bee); // strangers are none of a run's business
    bool all_answered() const noexcept { return silent_.empty(); }
    void tell(Sight& sight) const;

private:
    std::vector<std::string> instances_{};
    std::map<std::string, BeeSight> newest_{};
    std::set<std::string> silent_{}; // since the look began
};

} // namespace hive::run
