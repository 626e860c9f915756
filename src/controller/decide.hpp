#pragma once

#include "controller/state.hpp"

namespace hive::controller {

// The marshal's every decision. Time, messages and what the runtime and the broker answered come
// in; what is to be sent, launched, declared and removed goes out, in this order.
Decision decide(State state, const Event& event, Moment moment, const Settings& settings = {});

} // namespace hive::controller
