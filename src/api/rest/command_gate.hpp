#pragma once

#include "api/rest/session_routes.hpp"

#include <memory>
#include <optional>

namespace hive::rest {

struct Order;

// Asked before a command goes to the orchestrator.
class CommandGate {
public:
    virtual ~CommandGate() = default;
    // None: it may go. Otherwise the answer: 202 with the approval it waits for, or a refusal.
    // Shared: the order is looked at on a thread of the store.
    virtual asio::awaitable<std::optional<http::Response>>
    ask(SessionParts server, api::Call call, std::shared_ptr<const Order> order) = 0;
};

} // namespace hive::rest
