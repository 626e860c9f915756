#pragma once

#include "api/cors.hpp"
#include "api/denial_log.hpp"
#include "api/event_hub.hpp"
#include "api/route.hpp"
#include "api/ws/session.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

// May this principal hear this topic? Asked for each event that its patterns match.
using TopicRule = std::function<bool(const Principal* who, std::string_view topic)>;

// The state that the events of a topic change, for clients that begin. Sent to who subscribes to a
// pattern that fits `<topic>.snapshot` and may hear it.
struct SnapshotSource {
    std::string topic;                                                            // `key`
    std::function<http::asio::awaitable<Result<std::string>>(Identity who)> read; // JSON
};

struct EventSocketParts {
    EventHub& hub;
    CorsPolicy origins{}; // sites whose scripts may connect, beside our own
    // As browsers reach us, perhaps through a proxy that speaks TLS for us.
    std::function<std::string_view()> own_url = [] { return std::string_view{}; };
    TopicRule may_hear;
    DenialLog* denials = nullptr; // is told of foreign sites
    ws::SessionLimits limits{};
    std::vector<SnapshotSource> snapshots{};
};

// `GET /ws`. The client sends
//   {"op":"subscribe","topics":["task.#"],"since":41}     `since` is optional: resume after 41
//   {"op":"subscribe","topics":["key.#"],"snapshot":true}  first the state, then what changes it
//   {"op":"unsubscribe","topics":["task.#"]}
//   {"action":"subscribe","channel":"task:TASK-009"}       as the first clients say it
// and gets {"type":"subscribed"|"unsubscribed",...}, {"type":"event","seq","topic","data"},
// {"type":"snapshot","topic","seq","data"} before `subscribed` (events after `seq` follow; the
// first of them may be part of it already), {"type":"gap","first","last"} where events are lost to
// it (also when `since` is a number of an earlier life of the server), {"type":"problem",...} for
// what it got wrong. One that reads too slowly gets a gap notice and close code 4008, and may
// resume; one whose key or session ends gets close code 4001.
Route event_socket_route(EventSocketParts parts, Access access);

} // namespace hive::api
