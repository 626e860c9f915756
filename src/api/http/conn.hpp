#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <span>
#include <tuple>

namespace hive::http {

namespace asio = boost::asio;
using boost::system::error_code;

using IoCount = std::tuple<error_code, std::size_t>;
using Buffers = std::span<const asio::const_buffer>; // at most 64: what one system call takes

// A byte stream to one peer: TCP, a unix socket or TLS over either. Virtual, so that everything
// above it is compiled once. Used from the thread of its io_context only; one read and one write
// may be under way at a time. No call waits for ever: the owner cancels at its deadline.
class Conn {
public:
    virtual ~Conn() = default;

    virtual asio::awaitable<error_code> open() = 0; // the TLS handshake; nothing for others
    virtual asio::awaitable<IoCount> read_some(asio::mutable_buffer into) = 0;
    virtual asio::awaitable<IoCount> write_some(Buffers from) = 0;
    virtual IoCount try_write(Buffers from) = 0; // `would_block` instead of waiting

    virtual void cancel() noexcept = 0;      // pending calls end with `operation_aborted`
    virtual void end_writing() noexcept = 0; // the peer sees the end of the stream
    virtual void close() noexcept = 0;
};

} // namespace hive::http
