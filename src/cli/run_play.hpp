#pragma once

#include "cli/host.hpp"
#include "cli/run_director.hpp"
#include "cli/run_options.hpp"

namespace hive::cli {

// Whether it is a URL that is to be called, rather than a scenario.
bool is_url(const std::string& what);

// Four bees that call a URL.
Result<Play> play_of_url(const RunOptions& options);

// What a scenario says; none after what is wrong with it was told.
std::optional<Play> play_of_scenario(const RunOptions& options, Host& host);

} // namespace hive::cli
