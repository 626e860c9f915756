#pragma once

#include "bus/layout.hpp"
#include "bus/rabbitmq/session.hpp"
#include "kernel/result.hpp"

#include <amqp.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// Topology calls on a channel kept apart, because the broker answers a refused one by closing the
// channel: this one is opened again when needed. Every call waits for its answer, at most the
// request timeout. Lives as long as one session, on its thread.
class TopologyChannel {
public:
    TopologyChannel(Session& session, amqp_channel_t number) : session_{session}, number_{number} {}

    Status declare(const Exchange& exchange);
    Status declare(const Queue& queue);
    Status bind(const Binding& binding);
    Status unbind(const Binding& binding);
    Status remove_queue(const std::string& name);
    Status remove_exchange(const std::string& name);
    Result<QueueStats> inspect(const std::string& queue);
    Result<std::size_t> purge(const std::string& queue);

private:
    Status open();
    Status finish(std::string_view doing);

    Session& session_;
    amqp_channel_t number_;
    bool is_open_ = false;
};

} // namespace hive::bus::rabbitmq
