#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>

namespace hive::guard {

// A bee as far as it matters to whoever wants to steer its rate.
struct Filler {
    const json::object& config;
    bool takes_items = false; // it has queues to take from
};

// Where its rate is configured, `inputs.scheduler.ratePerSec`. The error says why nobody can steer
// it. Scenarios are checked by this, and controllers go by it.
Result<std::string> rate_field_of(const Filler& bee);

} // namespace hive::guard
