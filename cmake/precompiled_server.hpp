// What most files of the server and its commands include, on top of Asio.
#include "precompiled_asio.hpp"

#include "api/rest/session_routes.hpp"
#include "api/rest/swarm_court.hpp"
#include "colony/approvals/asking.hpp"
#include "colony/channels/posting.hpp"
#include "colony/costs/booking.hpp"
#include "colony/tasks/bench.hpp"
#include "kernel/config.hpp"
#include "kernel/log.hpp"
