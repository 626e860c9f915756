#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "kernel/result.hpp"

#include <amqp.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// Why the broker closed a channel or connection.
struct CloseReason {
    std::uint16_t code = 0; // AMQP reply code
    std::string text;       // the broker's words, bounded and printable
};

std::string_view view(amqp_bytes_t bytes) noexcept;
amqp_bytes_t bytes_of(std::string_view text) noexcept;

CloseReason close_reason(const amqp_method_t& method); // of connection.close or channel.close

// One sentence each: what, where, what to do. `doing` completes "could not ...", e.g.
// "declare queue 'x'".
Error broker_error(const CloseReason& reason, std::string_view doing, const Endpoint& endpoint);
// Also for what only a publish can break: the broker's bound on a message.
Error publish_error(const CloseReason& reason, const Endpoint& endpoint);
Error library_error(int status, std::string_view doing, const Endpoint& endpoint);
Error reply_error(const amqp_rpc_reply_t& reply, std::string_view doing, const Endpoint& endpoint);

Error login_error(const amqp_rpc_reply_t& reply, const Endpoint& endpoint);

} // namespace hive::bus::rabbitmq
