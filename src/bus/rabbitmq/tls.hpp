#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "kernel/result.hpp"

#include <amqp.h>

namespace hive::bus::rabbitmq {

// Connects `connection` to the endpoint with TLS as it says. OpenSSL checks the chain and the host
// (name or address) in one place, so a failure can be told precisely.
Status open_tls(amqp_connection_state_t connection, const Endpoint& endpoint);

// A login over TLS that failed in the library; a server that misses our certificate hangs up here.
Error tls_login_error(int status, const Endpoint& endpoint);

} // namespace hive::bus::rabbitmq
