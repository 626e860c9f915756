#pragma once

#include "call/error_class.hpp"
#include "call/target.hpp"
#include "call/tls.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>

namespace hive::call {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

// Everything of a lane runs on one known kind of executor: an erased one would cost each operation
// some calls and reference counts.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using Timer = asio::basic_waitable_timer<
    std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
template <class T>
using Async = asio::awaitable<T, Executor>;
inline constexpr auto as_result = asio::as_tuple(asio::use_awaitable_t<Executor>{});

using IoCount = std::tuple<error_code, std::size_t>;

enum class Pulse : std::uint8_t { quiet, talking, gone };

// A byte stream to one peer, TCP or TLS. Virtual, so that everything above it is compiled once.
// Used from its lane's thread only. No call waits for ever: the owner cancels at its deadline.
class Stream {
public:
    virtual ~Stream() = default;

    virtual Async<error_code> open() = 0; // the TLS handshake; nothing for TCP
    virtual Async<IoCount> read_some(asio::mutable_buffer into) = 0;
    virtual Async<IoCount> write_some(asio::const_buffer from) = 0;
    virtual IoCount try_read(asio::mutable_buffer into) = 0; // `would_block` instead of waiting
    virtual IoCount try_write(asio::const_buffer from) = 0;

    virtual Pulse pulse() noexcept = 0; // while nobody reads
    virtual bool resumed() const noexcept = 0;
    virtual void cancel() noexcept = 0; // pending calls end with `operation_aborted`

    // What the error that one of the calls ended with means.
    virtual Failure explain(const error_code& error) const = 0;
};

std::unique_ptr<Stream> make_plain_stream(Socket socket);
// The slot is shared with all connections of the target, and outlives each.
std::unique_ptr<Stream>
make_tls_stream(Socket socket, const Target& target, const std::shared_ptr<SessionSlot>& session);

Failure explain_system_error(const error_code& error);

} // namespace hive::call
