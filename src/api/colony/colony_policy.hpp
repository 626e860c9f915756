#pragma once

#include "colony/bees/bee.hpp"
#include "colony/channels/quota.hpp"
#include "colony/costs/usage.hpp"
#include "colony/webhooks/policy.hpp"

#include <string>
#include <vector>

namespace hive::rest {

struct ColonyPolicy {
    colony::channels::QuotaPolicy quota{};
    colony::bees::SilencePolicy silence{};
    std::string currency{colony::costs::currency_usual}; // of prices, and of what says no other
    colony::webhooks::Policy webhooks{};
    std::vector<std::string> webhook_allow{}; // networks and hosts beyond the public internet
};

} // namespace hive::rest
