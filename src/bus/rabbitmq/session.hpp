#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "bus/rabbitmq/errors.hpp"
#include "bus/rabbitmq/interrupter.hpp"
#include "bus/rabbitmq/tls.hpp"
#include "kernel/result.hpp"

#include <amqp.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hive::bus::rabbitmq {

// One AMQP connection from login to loss. Used by one thread; a lost one is never repaired but
// replaced. Any error it returns means the connection is of no more use.
class Session {
public:
    struct Identity {
        std::string name; // shown by the broker's tools
        Duration request_timeout;
    };

    static Result<std::unique_ptr<Session>>
    open(const Endpoint& endpoint, const Identity& identity, Interrupter& interrupter);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    amqp_connection_state_t raw() const noexcept { return connection_; }
    int socket() const noexcept { return amqp_get_sockfd(connection_); }
    const Endpoint& endpoint() const noexcept { return endpoint_; }

    // The longest pause between two calls that keeps heartbeats flowing.
    Duration feed_within() const;

    // Reads one frame if there is one, without waiting; false when there is none.
    Result<bool> next_frame(amqp_frame_t& frame);
    // True while frames wait inside the library, where poll() does not see them.
    bool has_buffered() const;

    Status send(amqp_channel_t channel, amqp_method_number_t method, void* decoded);
    Status check(int status, std::string_view doing);
    // Whole frames, past the library, which is slow with small ones. It knows nothing of TLS.
    bool takes_bytes() const noexcept { return !endpoint_.tls; }
    Status write(std::string_view bytes, std::string_view doing);

    // The outcome of a synchronous call. When the broker closed the channel over it, the close is
    // confirmed and only the channel is gone; anything else breaks the session.
    Status outcome(amqp_channel_t channel, std::string_view doing);

    // The broker sent connection.close: confirms it and breaks the session.
    Status closed_by_broker(const amqp_method_t& method);

    // Set once the connection is of no more use, whoever noticed it.
    const std::optional<Error>& broken() const noexcept { return broken_; }
    void say_goodbye(); // waits up to the request timeout for the broker's

private:
    Session(const Endpoint& endpoint, Interrupter& interrupter);

    using Witness = std::optional<TlsWitness>; // of a TLS connection
    Result<Witness> connect();
    Status log_in(const Identity& identity, Witness witness);
    int await_room(); // a status of the library

    const Endpoint& endpoint_;
    Interrupter& interrupter_;
    amqp_connection_state_t connection_;
    std::optional<Error> broken_{};
};

} // namespace hive::bus::rabbitmq
