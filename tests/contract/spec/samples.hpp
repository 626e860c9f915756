#pragma once

#include "kernel/random.hpp"
#include "wire/envelope.hpp"
#include "wire/work_item.hpp"

#include <vector>

namespace hive::tests {

// One envelope of every shape and of every command and status that the contract knows.
std::vector<wire::Envelope> sample_envelopes();

// Valid values that a seed decides: every optional part present or not, hostile text, odd numbers.
wire::Envelope random_envelope(Random& random);
wire::WorkItem random_work_item(Random& random);

} // namespace hive::tests
