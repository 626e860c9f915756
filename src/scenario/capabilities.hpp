#pragma once

#include "kernel/json.hpp"
#include "scenario/catalog.hpp"

namespace hive::scenario {

// A manifest of every kind of bee and of everything that bees take items from, put them into or
// pass them through: each setting with its type, range, unit and default, and whether it may change
// while a bee works. For programs: forms, checks, completion. Written from the declarations that
// the bees themselves read.
//   {"bees": [{"role", "fields", "inputs", "outputs", "interceptors"}],
//    "inputs": [{"type", "choice", "path", "fields", "bees"}], "outputs": ..., "interceptors": ...}
json::object capabilities_of(const Catalog& catalog);

} // namespace hive::scenario
