#pragma once

#include "kernel/json.hpp"

#include <cstddef>
#include <string>

namespace hive::cli {

// The bees of a swarm by their ids, as work flows through them, in lines of at most `width` columns
// where the names allow it: `-> q1 0 -> [ok a 5/s] -> q2 12 -> [ok b x3 41/s] -> q3 0 ->`. A branch
// begins a line of its own at the bee it leaves. `swarm` is what GET /swarms/{id} answers.
std::string swarm_graph(const json::object& swarm, std::size_t width = 100);

// The same of a template that nothing runs of yet: `[a] -> q1 -> [b x3]`.
std::string template_graph(const json::object& bees, std::size_t width = 100);

// Whether the swarm's controller has told the depth of every queue of its template.
bool knows_all_depths(const json::object& swarm);

} // namespace hive::cli
