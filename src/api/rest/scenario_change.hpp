#pragma once

#include "api/rest/chores.hpp"
#include "api/rest/scenario_desk.hpp"
#include "scenario/shelf.hpp"

namespace hive::rest {

// The change with its precondition, its audit entry and its event. The files come first: an entry
// about a change that was not made would be a lie, while a change whose entry is lost is found by
// scenario_watch() and told as one from outside.
ChangeWork change_scenario(scenario::Shelf& shelf, Alteration alteration);

// For HiveParts::chores: what people change beside the server is recorded and told as
// `scenario.changed.<id>`.
Chore scenario_watch(scenario::Shelf& shelf);

} // namespace hive::rest
