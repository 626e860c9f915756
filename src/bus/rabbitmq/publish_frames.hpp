#pragma once

#include "bus/rabbitmq/outbox.hpp"

#include <amqp.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// Messages as the bytes that publish them, one behind the other. The library writes each of the
// three frames of a message by a call of its own to the system, which for small messages is most of
// what publishing costs: gathered here, a batch leaves by one.
class PublishFrames {
public:
    // `frame_max` is what was agreed with the broker.
    explicit PublishFrames(std::size_t frame_max) : frame_max_{frame_max} {}

    struct Terms {
        amqp_channel_t channel;
        bool mandatory;
    };
    // False when the library cannot encode it; then nothing is added.
    bool add(const Outgoing& message, const amqp_basic_properties_t& properties, Terms terms);

    std::string_view bytes() const noexcept { return bytes_; }
    void clear() noexcept { bytes_.clear(); }

private:
    enum class Kind : std::uint8_t { method = 1, header = 2, body = 3 };

    void append(std::uint64_t number, std::size_t bytes); // the most significant first
    void begin(Kind kind, amqp_channel_t channel, std::size_t size);
    void end();
    bool add_method(const Outgoing& message, Terms terms);
    bool add_header(
        const Outgoing& message, const amqp_basic_properties_t& properties, amqp_channel_t channel);
    void add_body(std::string_view body, amqp_channel_t channel);

    std::size_t frame_max_;
    std::string bytes_{};
};

} // namespace hive::bus::rabbitmq
