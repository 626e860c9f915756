// The parts of an answer that wait for somebody: authentication and handlers.
#include "api/api.hpp"
#include "api/api_work.hpp"

namespace hive::api {
namespace {

template <class T>
http::asio::awaitable<T> settled(http::Eventually<T> value) {
    if (auto* ready = std::get_if<T>(&value)) co_return std::move(*ready);
    co_return co_await std::move(std::get<http::asio::awaitable<T>>(value));
}

} // namespace

http::asio::awaitable<http::Response>
Api::authenticate_first(Work work, http::asio::awaitable<Authentication> pending) {
    const Authentication known = co_await std::move(pending);
    if (auto refused = admit(work, known)) {
        auto response = fail(work, *refused);
        finish(work, response);
        co_return response;
    }
    co_return co_await settled(proceed(std::move(work)));
}

http::asio::awaitable<http::Response> Api::call_later(Work work) {
    auto response = co_await run_handler(&work);
    finish(work, response);
    co_return response;
}

http::asio::awaitable<http::Response> Api::run_handler(Work* work) {
    if (std::holds_alternative<SyncHandler>(work->state.route->handler)) co_return call(*work);
    try {
        co_return co_await std::get<AsyncHandler>(work->state.route->handler)(Call{work->state});
    } catch (const std::exception& outage) {
        co_return failed(*work, outage);
    }
}

} // namespace hive::api
