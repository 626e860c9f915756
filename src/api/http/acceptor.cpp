#include "api/http/acceptor.hpp"

#include "api/http/plain_conn.hpp"
#include "api/http/response.hpp"
#include "api/http/tls_conn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>

namespace hive::http {
namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

// A socket file that nobody answers is what a killed server left behind.
void remove_stale_socket(const std::string& path, asio::io_context& io) {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return;
    asio::local::stream_protocol::socket probe{io};
    error_code refused;
    probe.connect(asio::local::stream_protocol::endpoint{path}, refused);
    if (refused == asio::error::connection_refused) ::unlink(path.c_str());
}

// Connections that share a bound: an IPv6 user has a whole /64 to himself.
std::string peer_group(const asio::ip::address& address) {
    if (address.is_v4()) return address.to_string();
    const auto bytes = address.to_v6().to_bytes();
    return std::string{reinterpret_cast<const char*>(bytes.data()), 8};
}

Peer peer_of(const Endpoint& remote, bool secure) {
    Peer peer{.address = "unix", .secure = secure, .loopback = is_loopback(remote)};
    if (!is_unix(remote)) {
        const std::string text = to_text(remote);
        peer.address = text.substr(0, text.rfind(':'));
    }
    return peer;
}

std::string group_of(const Endpoint& remote) {
    if (is_unix(remote)) return {};
    asio::ip::tcp::endpoint tcp;
    std::memcpy(tcp.data(), remote.data(), remote.size());
    tcp.resize(remote.size());
    return peer_group(tcp.address());
}

} // namespace

Acceptor::Acceptor(std::shared_ptr<TlsContext> tls, Surroundings surroundings)
    : tls_{std::move(tls)}, around_{std::move(surroundings)}, socket_{around_.shards.front()->io()},
      pause_{around_.shards.front()->io()} {}

Acceptor::~Acceptor() {
    if (!unix_path_.empty()) ::unlink(unix_path_.c_str());
}

Result<std::unique_ptr<Acceptor>>
Acceptor::open(const ListenAt& at, const Endpoint& endpoint, Surroundings surroundings) {
    std::unique_ptr<Acceptor> acceptor{new Acceptor{at.tls, std::move(surroundings)}};
    if (auto bound = acceptor->bind(endpoint); !bound) {
        return fail(
            bound.error().code,
            fmt::format("cannot listen at {}: {}", at.address, bound.error().detail));
    }
    return acceptor;
}

Status Acceptor::bind(const Endpoint& endpoint) {
    const bool local = is_unix(endpoint);
    const std::string path = local ? to_text(endpoint).substr(5) : "";
    if (local) remove_stale_socket(path, around_.shards.front()->io());
    error_code error;
    socket_.open(endpoint.protocol(), error);
    if (!error && !local) socket_.set_option(Listening::reuse_address{true}, error);
    if (!error) socket_.bind(endpoint, error);
    if (!error && local) {
        unix_path_ = path;
        // Before listen(), so that nobody else can connect in between.
        if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) {
            error.assign(errno, boost::system::system_category());
        }
    }
    if (!error) socket_.listen(Listening::max_listen_connections, error);
    if (!error) return {};
    if (error == asio::error::address_in_use)
        return fail(Errc::conflict, "in use by another program; stop that or listen elsewhere");
    return fail(Errc::unavailable, error.message());
}

std::string Acceptor::address() const {
    error_code error;
    const Endpoint endpoint = socket_.local_endpoint(error);
    return error ? std::string{} : to_text(endpoint);
}

asio::awaitable<void> Acceptor::run() {
    while (socket_.is_open()) {
        Shard& shard = *around_.shards[next_shard_++ % around_.shards.size()];
        auto [error, socket] = co_await socket_.async_accept(shard.io(), as_result);
        if (!error) {
            welcome(std::move(socket), shard);
        } else if (socket_.is_open() && error != asio::error::connection_aborted) {
            // Out of descriptors, most likely: some must close before another accept can work.
            around_.complain(fmt::format("accept: {}", error.message()));
            pause_.expires_after(std::chrono::milliseconds{100});
            co_await pause_.async_wait(as_result);
        }
    }
}

void Acceptor::welcome(Socket socket, Shard& shard) {
    error_code gone;
    const Endpoint remote = socket.remote_endpoint(gone);
    if (gone) return;
    auto ticket = around_.admission.admit(group_of(remote));
    if (!ticket) return turn_away(std::move(socket), remote, ticket.error());
    if (!is_unix(remote)) socket.set_option(asio::ip::tcp::no_delay{true}, gone);
    auto conn = tls_ ? make_tls_conn(std::move(socket), tls_->current())
                     : make_plain_conn(std::move(socket));
    shard.adopt(
        {.conn = std::move(conn),
         .peer = peer_of(remote, tls_ != nullptr),
         .ticket = std::move(*ticket)});
}

void Acceptor::turn_away(Socket socket, const Endpoint& remote, const Error& why) {
    Traffic::add(around_.traffic.refused_connections);
    if (tls_) return; // a handshake for a refusal is what a flood wants
    const bool peer = why.code == Errc::limit;
    const Response response = around_.application.refuse(
        Refusal{peer ? 429U : 503U, peer ? "too-many-connections" : "server-full", why.detail},
        peer_of(remote, false));
    std::string out;
    append_head(out, response, Framing{.date = {}, .keep_alive = false});
    out += view_of(response.body);
    error_code ignored; // best effort: it fits into an empty socket buffer or nobody reads it
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(out), ignored);
    socket.shutdown(Socket::shutdown_send, ignored);
}

void Acceptor::close() {
    error_code ignored;
    socket_.close(ignored);
    pause_.cancel();
}

} // namespace hive::http
