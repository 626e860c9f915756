#pragma once

#include "api/rest/session_routes.hpp"

#include <optional>

namespace hive::rest {

struct Order;

// Asked before a command goes to the orchestrator.
class CommandGate {
public:
    virtual ~CommandGate() = default;
    // None: it may go. Otherwise the answer: 202 with the approval it waits for, or a refusal. The
    // order is the caller's, who waits.
    virtual asio::awaitable<std::optional<http::Response>>
    ask(SessionParts server, api::Call call, const Order& order) = 0;
};

} // namespace hive::rest
