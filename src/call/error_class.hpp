#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::call {

// Why a call has no good answer. The names are part of results and metrics: they never change.
enum class ErrorClass : std::uint8_t {
    none,
    invalid_call,       // it cannot be sent as it is
    dns,                // the host name has no address
    refused,            // nobody listens there
    unreachable,        // no way to that host or network
    connect_timeout,    // name, connection and handshake took too long together
    local_resources,    // this machine has no descriptor, port or memory left
    tls_handshake,      // the peer and we found no way to talk
    tls_certificate,    // one side does not accept the other's certificate
    reset,              // the peer broke the connection off
    closed_early,       // the peer closed it before the answer was whole
    first_byte_timeout, // sent, and then nothing came
    total_timeout,      // the whole call took too long
    malformed_response, // the answer breaks the protocol
    headers_too_large,  // its head is longer than allowed
    body_too_large,     // its body or frame is longer than allowed
    bad_redirect,       // where it points to cannot be followed
    too_many_redirects, // more than allowed in a row
    cancelled,          // we stopped before it was over
    network,            // any other error of the system; the detail says which
};

std::string_view name_of(ErrorClass error) noexcept; // first_byte_timeout: "first-byte-timeout"

struct Failure {
    ErrorClass error = ErrorClass::none;
    std::string detail{}; // a sentence for people
};

} // namespace hive::call
