#pragma once

// RabbitMQ through librabbitmq and nothing else: the yardstick for what stands on it.
#include <amqp.h>
#include <amqp_tcp_socket.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace hive::bench {

struct Setting {
    bool persistent;
    std::size_t window;
    std::size_t messages;
};

constexpr std::size_t prefetch = 1000;
constexpr std::size_t ack_every = 50;
constexpr std::size_t batch = 64; // items per send() and receive()

struct BareRoute {
    std::string exchange; // empty: straight to the queue of that name
    std::string key;
};

[[noreturn]] inline void give_up(const std::string& what) {
    throw std::runtime_error(what);
}

class BareLink {
public:
    explicit BareLink(int port) : connection_{amqp_new_connection()} {
        amqp_socket_t* socket = amqp_tcp_socket_new(connection_);
        if (amqp_socket_open(socket, "127.0.0.1", port) != 0) give_up("bare: no connection");
        amqp_login(connection_, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest");
        amqp_channel_open(connection_, 1);
        check("open a channel");
    }
    ~BareLink() {
        amqp_connection_close(connection_, AMQP_REPLY_SUCCESS);
        amqp_destroy_connection(connection_);
    }
    BareLink(const BareLink&) = delete;
    BareLink& operator=(const BareLink&) = delete;

    void check(const char* what) const {
        if (amqp_get_rpc_reply(connection_).reply_type != AMQP_RESPONSE_NORMAL) give_up(what);
    }
    // One frame; false when none came within the time.
    bool frame(amqp_frame_t& out, timeval wait) const {
        const int status = amqp_simple_wait_frame_noblock(connection_, &out, &wait);
        if (status == AMQP_STATUS_TIMEOUT) return false;
        if (status != AMQP_STATUS_OK) give_up(amqp_error_string2(status));
        return true;
    }
    amqp_connection_state_t raw() const { return connection_; }

private:
    amqp_connection_state_t connection_;
};

inline amqp_bytes_t bytes_of(const std::string& text) {
    return {text.size(), const_cast<char*>(text.data())};
}

// Publishing with confirms on one link.
class BarePublisher {
public:
    BarePublisher(const BareLink& link, BareRoute route, bool persistent)
        : link_{&link}, route_{std::move(route)} {
        amqp_confirm_select(link.raw(), 1);
        link.check("select confirms");
        properties_._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG;
        properties_.delivery_mode = persistent ? 2 : 1;
        properties_.content_type = amqp_cstring_bytes("application/json");
    }

    void publish(const std::string& text) {
        const int status = amqp_basic_publish(
            link_->raw(), 1, bytes_of(route_.exchange), bytes_of(route_.key), 1, 0, &properties_,
            bytes_of(text));
        if (status != AMQP_STATUS_OK) give_up(amqp_error_string2(status));
        ++sent_;
    }
    // Takes what has come of confirms; waits for the first where asked to.
    void take_confirms(bool wait) {
        amqp_frame_t frame;
        for (; link_->frame(frame, {wait ? 10 : 0, 0}); wait = false) {
            if (frame.payload.method.id != AMQP_BASIC_ACK_METHOD) give_up("bare: no ack");
            const auto* ack = static_cast<amqp_basic_ack_t*>(frame.payload.method.decoded);
            confirmed_ =
                ack->multiple != 0 ? std::max(confirmed_, ack->delivery_tag) : confirmed_ + 1;
        }
        amqp_maybe_release_buffers(link_->raw());
    }
    std::uint64_t sent() const noexcept { return sent_; }
    std::uint64_t confirmed() const noexcept { return confirmed_; }

private:
    const BareLink* link_;
    BareRoute route_;
    amqp_basic_properties_t properties_{};
    std::uint64_t sent_ = 0;
    std::uint64_t confirmed_ = 0;
};

inline void
bare_publish(int port, const BareRoute& route, const std::string& text, const Setting& setting) {
    const BareLink link{port};
    BarePublisher out{link, route, setting.persistent};
    while (out.confirmed() < setting.messages) {
        while (out.sent() < setting.messages && out.sent() - out.confirmed() < setting.window) {
            out.publish(text);
            if (out.sent() % batch == 0) break;
        }
        out.take_confirms(
            out.sent() == setting.messages || out.sent() - out.confirmed() >= setting.window);
    }
}

class BareConsumer {
public:
    BareConsumer(const BareLink& link, const std::string& queue) : link_{&link} {
        amqp_basic_qos(link.raw(), 1, 0, prefetch, 0);
        link.check("set the prefetch");
        amqp_basic_consume(
            link.raw(), 1, bytes_of(queue), amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
        link.check("consume");
    }

    std::string next() {
        amqp_maybe_release_buffers(link_->raw());
        amqp_envelope_t envelope;
        const auto reply = amqp_consume_message(link_->raw(), &envelope, nullptr, 0);
        if (reply.reply_type != AMQP_RESPONSE_NORMAL) give_up("bare: no delivery");
        tag_ = envelope.delivery_tag;
        const auto& body = envelope.message.body;
        std::string text{static_cast<const char*>(body.bytes), body.len};
        amqp_destroy_envelope(&envelope);
        return text;
    }
    void ack_up_to(std::uint64_t tag) const { amqp_basic_ack(link_->raw(), 1, tag, 1); }
    std::uint64_t tag() const noexcept { return tag_; }

private:
    const BareLink* link_;
    std::uint64_t tag_ = 0;
};

inline void bare_consume(int port, const std::string& queue, const Setting& setting) {
    const BareLink link{port};
    BareConsumer in{link, queue};
    for (std::size_t got = 1; got <= setting.messages; ++got) {
        static_cast<void>(in.next());
        if (got % ack_every == 0 || got == setting.messages) in.ack_up_to(in.tag());
    }
}

struct BareHop {
    std::string from; // a queue
    BareRoute to;
    std::string as; // the body of what is sent on
};

// Takes from one queue, publishes to the next, acknowledges what was confirmed there.
inline void bare_forward(int port, const BareHop& hop, const Setting& setting) {
    const BareLink from{port};
    const BareLink to{port};
    BareConsumer in{from, hop.from};
    BarePublisher out{to, hop.to, setting.persistent};
    std::uint64_t acknowledged = 0;
    while (acknowledged < setting.messages) {
        for (std::size_t i = 0; i < batch && out.sent() < setting.messages &&
                                out.sent() - out.confirmed() < setting.window;
             ++i) {
            static_cast<void>(in.next());
            out.publish(hop.as);
        }
        out.take_confirms(
            out.sent() == setting.messages || out.sent() - out.confirmed() >= setting.window);
        // Delivery tags and the numbers of confirms both count from one.
        if (out.confirmed() - acknowledged >= ack_every || out.confirmed() == setting.messages) {
            in.ack_up_to(out.confirmed());
            acknowledged = out.confirmed();
        }
    }
}

} // namespace hive::bench
