#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "bus/rabbitmq/interrupter.hpp"
#include "bus/rabbitmq/tls_errors.hpp"
#include "kernel/result.hpp"

#include <amqp.h>
#include <openssl/types.h>

namespace hive::bus::rabbitmq {

// Hears why a server hangs up during the login. When it does so while the library writes, that one
// gives up, and closes the socket, without having read the reason. Lives until the login is over.
class TlsWitness {
public:
    explicit TlsWitness(ssl_st* ssl);
    TlsWitness(TlsWitness&& other) noexcept;
    TlsWitness& operator=(TlsWitness&&) = delete;
    ~TlsWitness();

    TlsReasons last_words();

private:
    ssl_st* ssl_; // shared with the library
    int fd_;      // a second name of its socket
};

// Connects `connection` to the endpoint with TLS as it says. OpenSSL checks the chain and the host
// (name or address) in one place, so a failure can be told precisely.
Result<TlsWitness> open_tls(
    amqp_connection_state_t connection, const Endpoint& endpoint, const Interrupter& interrupter);

// A login over TLS that failed in the library; a server that misses our certificate hangs up here.
Error tls_login_error(int status, const Endpoint& endpoint, const TlsReasons& reasons);

} // namespace hive::bus::rabbitmq
