#pragma once

#include "api/http/tls_context.hpp"
#include "kernel/result.hpp"

#include <boost/asio/generic/stream_protocol.hpp>

#include <memory>
#include <string>

namespace hive::http {

struct ListenAt {
    std::string address;               // `127.0.0.1:8080`, `[::1]:0`, `unix:/run/hive.sock`
    std::shared_ptr<TlsContext> tls{}; // shared with whoever reloads it on a signal
};

using Endpoint = boost::asio::generic::stream_protocol::endpoint;

Result<Endpoint> parse_address(const std::string& address);
std::string to_text(const Endpoint& endpoint); // the form parse_address() reads
bool is_loopback(const Endpoint& endpoint);    // also unix sockets
bool is_unix(const Endpoint& endpoint);

// Keys and cookies must not cross a network in the clear: refuses an address that others can reach
// unless there is TLS or someone has said, in so many words, that it is all right.
Status check_exposure(const ListenAt& at, const Endpoint& endpoint, bool allow_exposed_plain);

} // namespace hive::http
