#pragma once

#include "wire/envelope.hpp"
#include "wire/problems.hpp"

namespace hive::wire {

// The rules of check(), in parts, so that a decoder can leave out what it could not read.
void guard_attempt(const Envelope& envelope, Problems& problems);
void guard_scope(const Envelope& envelope, Problems& problems);
void guard_body(const Envelope& envelope, Problems& problems);

} // namespace hive::wire
