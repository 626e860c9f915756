#pragma once

#include "cli/host.hpp"
#include "kernel/result.hpp"

namespace hive::cli {

// One sentence on standard error; answers the exit code: 2 when the input must be changed, else 3.
int report(Host& host, const Error& error);

} // namespace hive::cli
