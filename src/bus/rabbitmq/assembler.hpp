#pragma once

#include <amqp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hive::bus::rabbitmq {

// AMQP headers of ours, beside those inside a work item.
inline constexpr const char* attempt_property = "x-ph-attempt"; // absent: 1
inline constexpr const char* error_property = "x-ph-error";     // of a dead letter

// A delivered or returned message, out of the library's buffers.
struct Message {
    amqp_channel_t channel = 0;
    bool returned = false; // the broker found no queue for it
    std::uint64_t delivery_tag = 0;
    bool redelivered = false;
    std::uint32_t attempt = 1;
    std::string exchange;
    std::string routing_key;
    std::string message_id;
    std::string body;
};

// Puts messages together from frames. By hand, because the library's own reader waits without a
// deadline for the rest of a message. Frames of different channels may be mixed.
class Assembler {
public:
    // The message this frame completes, valid until the next call; nullptr when it completes none.
    Message* feed(const amqp_frame_t& frame);

private:
    struct Partial {
        Message message;
        std::uint64_t missing = 0; // body bytes
        bool wants_header = false;
    };

    void begin(const amqp_frame_t& frame);
    Message* take_header(const amqp_frame_t& frame);
    Message* take_body(const amqp_frame_t& frame);
    Partial& partial(amqp_channel_t channel);

    std::vector<Partial> partials_; // by channel
    Message done_;
};

} // namespace hive::bus::rabbitmq
