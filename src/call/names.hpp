#pragma once

#include "call/call.hpp"
#include "call/options.hpp"
#include "kernel/config_type.hpp"

#include <span>

namespace hive::call {

// As scenarios spell them.
std::span<const Named<ConnectionMode>> names_of(ConnectionMode);
std::span<const Named<Behaviour>> names_of(Behaviour);
std::span<const Named<Framing>> names_of(Framing);

} // namespace hive::call
