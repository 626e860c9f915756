#pragma once

#include "bus/rabbitmq/outbox.hpp"

#include <amqp.h>

#include <array>

namespace hive::bus::rabbitmq {

// The AMQP properties of one message, which must outlive them.
class Properties {
public:
    Properties(const Outgoing& message, bool with_serial);
    Properties(const Properties&) = delete;
    Properties& operator=(const Properties&) = delete;

    const amqp_basic_properties_t* get() const { return &all_; }

private:
    amqp_basic_properties_t all_{};
    std::array<amqp_table_entry_t, 2> entries_{};
    std::array<char, 20> serial_{};
};

} // namespace hive::bus::rabbitmq
