#pragma once

#include "bus/connection.hpp"
#include "kernel/result.hpp"
#include "kernel/subscription.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hive::rest {

// Hears what is said on the control plane and passes it on. Its queue is bounded and loses the
// oldest first: who watches never slows who works.
class ControlMirror {
public:
    // Called one message at a time on a thread of the bus; must not block.
    using Hear = std::function<void(std::string_view routing_key, std::string_view body)>;

    // The connection may read `ph.debug.#` and bind it to `keys` of `ph.control`: a pattern.
    static Result<std::unique_ptr<ControlMirror>>
    start(bus::Connection& bus, Hear hear, const std::string& keys = "#");

private:
    explicit ControlMirror(Subscription heard) : heard_{std::move(heard)} {}
    Subscription heard_; // the queue goes with its consumer
};

} // namespace hive::rest
