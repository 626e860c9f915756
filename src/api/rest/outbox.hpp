#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "store/session.hpp"

#include <string_view>

namespace hive::rest {

// Something that others outside may want to hear of.
struct Outgoing {
    std::string_view event; // `task.claimed`
    const json::object& data;
    Timestamp at{};
};

// Keeps it in the transaction of the change that it tells of: both are committed, or neither.
// Called on the store's thread, perhaps more than once for one change.
class Outbox {
public:
    virtual ~Outbox() = default;
    virtual Status take(store::Session& session, const Outgoing& outgoing) = 0;
};

} // namespace hive::rest
