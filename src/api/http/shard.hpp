#pragma once

#include "api/http/connection.hpp"
#include "api/http/host.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>

#include <thread>

namespace hive::http {

// One thread, one io_context, and the connections that were given to it.
class Shard {
public:
    struct Shared { // what all threads of a server have in common
        const Limits& limits;
        Application& application;
        Traffic& traffic;
        std::atomic<std::size_t>& handshakes;
    };

    explicit Shard(Shared shared);
    ~Shard() { halt(); }
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    asio::io_context& io() noexcept { return io_; }
    void start();
    // From any thread:
    void adopt(Connection::Parts parts);
    void stop_connections();  // each finishes what it is doing
    void abort_connections(); // none does
    void halt();              // ends the thread

private:
    using Connections =
        boost::intrusive::list<Connection, boost::intrusive::constant_time_size<false>>;

    asio::awaitable<void> sweep();
    void refresh_date();

    // Before io_: destroying it destroys the coroutines that own the connections, which leave the
    // list and use their host to the last.
    Connections connections_;
    Host host_;
    asio::io_context io_{1};
    asio::steady_timer sweep_timer_{io_};
    std::time_t date_second_ = 0;
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    std::thread thread_;
};

} // namespace hive::http
