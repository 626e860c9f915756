#pragma once

#include "api/colony/workplace.hpp"
#include "colony/approvals/approval.hpp"
#include "colony/costs/booking.hpp"

namespace hive::rest {

// Books a record, with what follows when it uses a budget up: a task with such a budget is blocked,
// and people are asked for more where the budget says so.
colony::Outcome<colony::costs::Booked> book(Workplace& place, colony::costs::NewUsage usage);

// Somebody approved as much again, or did not.
colony::Outcome<void>
end_request_for_more(Workplace& place, const colony::approvals::Approval& approval);

} // namespace hive::rest
