#pragma once

#include "bus/connection.hpp"
#include "bus/rabbitmq/options.hpp"
#include "kernel/result.hpp"

#include <memory>

namespace hive::bus::rabbitmq {

// Connects and logs in, or says at once why not. Later losses are repaired in the background and
// told to the listener. Two AMQP connections, so that a broker that stops taking messages does not
// stop giving them.
Result<std::unique_ptr<Connection>> connect(Options options, LinkListener listener);

} // namespace hive::bus::rabbitmq
