#include "api/http/shard.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <ctime>
#include <vector>

namespace hive::http {

Shard::Shard(Shared shared)
    : host_{
          .limits = shared.limits,
          .application = shared.application,
          .traffic = shared.traffic,
          .handshakes = shared.handshakes,
          .io = io_} {
    refresh_date();
}

void Shard::start() {
    asio::co_spawn(io_, sweep(), asio::detached);
    thread_ = std::thread{[this] { io_.run(); }};
}

void Shard::adopt(Connection::Parts parts) {
    // Handed over whole: the last to let go of a connection must be its own thread.
    asio::post(io_, [this, connection = std::make_shared<Connection>(host_, std::move(parts))] {
        connections_.push_back(*connection);
        asio::co_spawn(io_, connection->run(), asio::detached);
    });
}

void Shard::stop_connections() {
    asio::post(io_, [this] {
        host_.stopping = true;
        // stop() may end a connection at once, which takes it off the list.
        std::vector<std::shared_ptr<Connection>> all;
        for (Connection& connection : connections_) all.push_back(connection.shared_from_this());
        for (const auto& connection : all) connection->stop();
    });
}

void Shard::abort_connections() {
    asio::post(io_, [this] {
        for (Connection& connection : connections_) connection.abort();
    });
}

void Shard::halt() {
    if (!thread_.joinable()) return;
    io_.stop();
    thread_.join();
}

asio::awaitable<void> Shard::sweep() {
    for (;;) {
        sweep_timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            host_.limits.sweep_every));
        const auto [error] = co_await sweep_timer_.async_wait(asio::as_tuple(asio::use_awaitable));
        if (error) co_return;
        refresh_date();
        const SteadyTime now = std::chrono::steady_clock::now();
        for (Connection& connection : connections_) connection.sweep(now);
    }
}

void Shard::refresh_date() {
    const std::time_t now = std::time(nullptr);
    if (now == date_second_) return;
    date_second_ = now;
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 64> text{};
    // The C locale is the process's: English names, as HTTP-date demands.
    const std::size_t size =
        std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
    host_.date.assign(text.data(), size);
}

} // namespace hive::http
