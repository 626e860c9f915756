#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "scenario/compile.hpp"
#include "scenario/sample.hpp"

#include <string>

namespace hive::cli {

// What a generator or a builder of this scenario would hand on for one item, without a swarm. The
// same seed gives the same text. Errc::invalid when there is no such bee or it renders nothing.
Result<std::string> render_sample(
    const scenario::Compiled& compiled, const scenario::Sample& sample, const Clock& clock);

} // namespace hive::cli
