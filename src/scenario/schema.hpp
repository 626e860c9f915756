#pragma once

#include "kernel/json.hpp"
#include "scenario/catalog.hpp"

namespace hive::scenario {

// JSON Schema (draft-07) of scenario.yaml, for editors: completion, help at the cursor, and most of
// what is wrong while it is typed. Written from the declarations that the bees themselves read.
// What it refuses, validate() refuses; the rules between members are only known there.
json::object schema_of(const Catalog& catalog);

} // namespace hive::scenario
