#pragma once

#include "api/event_hub.hpp"
#include "api/event_socket.hpp"
#include "api/route.hpp"

namespace hive::api {

struct EventFeedParts {
    EventHub& hub;
    TopicRule may_hear;
    std::size_t queued_events = 1024;
    Duration heartbeat = std::chrono::seconds{15}; // a comment, so that both sides notice an end
};

// `GET /api/v1/events?topics=task.%23,swarm.*`: the same events as server-sent events. Resumes
// after `Last-Event-ID` (a browser sends it by itself) or `since`. What is lost to it comes as the
// event `gap`; when its key or session ends, the event `end` is the last.
Route event_feed_route(EventFeedParts parts, Access access);

} // namespace hive::api
