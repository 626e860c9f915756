#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "report/run.hpp"

#include <string>
#include <vector>

namespace hive::run {

// A template that waits for the word: bees without inputs are held, and post-processors share their
// histograms.
json::object fit_for_run(json::object text);

// Whether everybody who makes items has a last one.
bool ends_by_itself(const json::object& text);

// Which bee fills which queue for whom, as pictures show it.
std::vector<report::Edge> graph_of(const json::object& text);

// The same with so many items a second from all who make some by a clock, each with the share that
// it has; they go on until they are held. Errc::invalid when nobody does.
Result<json::object> with_rate(json::object text, double per_sec);

// What lets producers go, and what holds them again.
json::object hold_patch(bool hold);

} // namespace hive::run
