#pragma once

#include "kernel/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace hive::http {

// What a waiting coroutine and the callback that will wake it share. Either may be gone first: the
// callback may come after the server was destroyed, or never.
template <class T>
struct Promised {
    std::mutex mutex;
    std::optional<T> value;
    boost::asio::steady_timer* waiting = nullptr; // null: nobody waits any more
};

// Awaits a function that reports through a callback, from whatever thread; the coroutine goes on
// where it was. `start` receives a std::function<void(T)> to call once. Nothing comes back when it
// was not called within the limit.
template <class T, class Start>
boost::asio::awaitable<std::optional<T>> await_callback(Start start, Duration within) {
    namespace asio = boost::asio;
    const auto home = co_await asio::this_coro::executor;
    asio::steady_timer timer{
        home, std::chrono::duration_cast<asio::steady_timer::duration>(within)};
    auto promised = std::make_shared<Promised<T>>();
    promised->waiting = &timer;
    // Also runs when the coroutine is destroyed with its io_context.
    const auto leave = [](Promised<T>* left) {
        const std::lock_guard lock{left->mutex};
        left->waiting = nullptr;
    };
    const std::unique_ptr<Promised<T>, decltype(leave)> guard{promised.get(), leave};

    start(std::function<void(T)>{[promised, home](T value) {
        const std::lock_guard lock{promised->mutex};
        if (promised->waiting == nullptr || promised->value) return;
        promised->value = std::move(value);
        asio::post(home, [promised] {
            const std::lock_guard again{promised->mutex};
            if (promised->waiting != nullptr) promised->waiting->cancel();
        });
    }});
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    const std::lock_guard lock{promised->mutex};
    co_return std::move(promised->value);
}

} // namespace hive::http
