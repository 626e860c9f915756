#pragma once

#include "api/http/conn.hpp"
#include "kernel/clock.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>

namespace hive::http {

// What a handler that took a connection over sees of it. Used from the connection's thread only,
// and valid until the coroutine that was given it returns.
class Stream {
public:
    virtual ~Stream() = default;

    // Bytes the client sent behind its request come first.
    virtual asio::awaitable<IoCount> read_some(asio::mutable_buffer into) = 0;
    virtual asio::awaitable<error_code> write(Buffers from) = 0; // all of it, within the limit
    virtual IoCount try_write(Buffers from) = 0;                 // `would_block` when full

    // A read that takes longer ends with `operation_aborted`; zero waits for ever, which only the
    // owner of some other deadline may do.
    virtual void read_within(Duration limit) = 0;
    virtual void on_stop(std::function<void()> stopping) = 0; // the server is shutting down
    virtual void abort() noexcept = 0;                        // ends pending reads and writes
    virtual asio::any_io_executor executor() = 0;
};

} // namespace hive::http
