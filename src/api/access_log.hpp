#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <string_view>

namespace hive::api {

// One answered request. The query is left out on purpose: it may hold a ticket.
struct AccessRecord {
    std::string_view method;
    std::string_view path;
    std::string_view operation; // the route's id; empty when none was found
    unsigned status = 0;
    std::size_t body_bytes = 0;
    Duration took{0};
    std::string_view peer;
    std::string_view principal; // empty for nobody
    std::string_view request_id;
    std::string_view trace_id;
    std::string_view failure{}; // why the status is 500
};

// Port: where they go. Called from every thread at the same time.
class AccessLog {
public:
    virtual ~AccessLog() = default;
    virtual void record(const AccessRecord& entry) = 0;
};

} // namespace hive::api
