#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hive::bus::rabbitmq {

// Has no stream or format operator on purpose: a password never reaches a log by accident.
class Password {
public:
    explicit Password(std::string text) : text_{std::move(text)} {}
    const std::string& reveal() const noexcept { return text_; }

private:
    std::string text_;
};

struct Tls {
    std::string ca_file{};   // PEM; empty: the CAs of this machine
    std::string cert_file{}; // PEM; with key_file, shown to a server that asks who we are
    std::string key_file{};
    bool verify = true;        // chain and host name
    std::string server_name{}; // asked for and checked instead of the host; empty: the host
};

// Where the broker is and who we are to it.
struct Endpoint {
    std::string host = "localhost"; // IPv6 addresses without their brackets
    std::uint16_t port = 5672;
    std::string vhost = "/";
    std::string user = "guest";
    Password password{"guest"};
    std::optional<Tls> tls{};
    std::chrono::seconds heartbeat{10};
    std::chrono::milliseconds connect_timeout{5000}; // for connection and login, each

    std::string where() const; // host:port, for people
};

// amqp://user:password@host:port/vhost?heartbeat=10&connection_timeout=5000, or amqps:// with
// cacertfile, certfile, keyfile, verify=verify_peer|verify_none and server_name_indication, as
// RabbitMQ spells them (heartbeat in seconds, connection_timeout in milliseconds). A missing or
// empty vhost means `/`. Errors quote the part that is wrong, never the password.
Result<Endpoint> parse_endpoint(std::string_view url);

} // namespace hive::bus::rabbitmq
