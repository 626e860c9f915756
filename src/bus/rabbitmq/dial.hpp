#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "bus/rabbitmq/interrupter.hpp"
#include "kernel/result.hpp"

namespace hive::bus::rabbitmq {

// A connected, non-blocking TCP socket to the endpoint, which the caller closes. Ours rather than
// the AMQP library's, because that one tells neither why it failed nor lets itself be interrupted.
Result<int> dial(const Endpoint& endpoint, const Interrupter& interrupter);

} // namespace hive::bus::rabbitmq
