#pragma once

#include "colony/bees/bee.hpp"
#include "colony/channels/quota.hpp"

namespace hive::rest {

struct ColonyPolicy {
    colony::channels::QuotaPolicy quota{};
    colony::bees::SilencePolicy silence{};
};

} // namespace hive::rest
