#pragma once

#include "bees/processor/processor_config.hpp"
#include "call/call.hpp"
#include "wire/work_item.hpp"

#include <optional>
#include <string>

namespace hive::bees {

// A failed call is a result like any other: it travels on with what went wrong.
bool succeeded(const call::Done& done) noexcept;

// How a call went, as the step of the bee that made it. `from_due` is none where nobody said when
// the call was due.
wire::Step
result_step(const call::Done& done, std::optional<Duration> from_due, ResultDetail detail);

} // namespace hive::bees
