#include "tests/system/http_transport.hpp"

#include "api/http/await_callback.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace hive::test {

using namespace std::chrono_literals;

std::size_t EchoApplication::body_limit(const http::Request& request) const {
    return request.path == "/small" ? 10 : std::size_t{4} << 20U;
}

http::Eventually<http::Response> EchoApplication::answer(const http::Request& request) {
    http::Response response{.content_type = "text/plain"};
    if (request.path == "/echo") {
        response.body = request.body;
    } else if (request.path == "/big") {
        response.body = std::string(std::size_t{1} << 20U, 'b');
    } else if (request.path == "/slow") {
        return slow();
    } else if (request.path == "/throw") {
        throw std::runtime_error{"planted"};
    } else {
        response.body = std::string{request.path};
    }
    return response;
}

http::asio::awaitable<http::Response> EchoApplication::slow() {
    const auto remember = [this](std::function<void(int)> done) {
        const std::lock_guard lock{mutex_};
        waiting_.push_back(std::move(done));
        changed_.notify_all();
    };
    const auto released = co_await http::await_callback<int>(remember, 60s);
    if (!released) throw std::runtime_error{"nobody released /slow"};
    co_return http::Response{.content_type = "text/plain", .body = std::string{"slow"}};
}

http::Response EchoApplication::refuse(const http::Refusal& refusal, const http::Peer&) {
    return {
        .status = refusal.status,
        .content_type = "text/plain",
        .body = fmt::format("{}: {}", refusal.code, refusal.detail)};
}

void EchoApplication::wait_for_slow(std::size_t requests) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, 10s, [&] { return waiting_.size() >= requests; })) {
        throw std::runtime_error{"nobody asked for /slow"};
    }
}

void EchoApplication::release() {
    std::vector<std::function<void(int)>> all;
    {
        const std::lock_guard lock{mutex_};
        all.swap(waiting_);
    }
    for (const auto& done : all) done(0);
}

TransportUnderTest::TransportUnderTest(http::ServerOptions options) {
    if (options.listen.empty()) options.listen.push_back({.address = "127.0.0.1:0"});
    auto started = http::Server::start(std::move(options), application);
    if (!started) throw std::runtime_error{started.error().detail};
    server = std::move(*started);
}

TransportUnderTest::TransportUnderTest(http::Limits limits)
    : TransportUnderTest{http::ServerOptions{.listen = {}, .limits = limits}} {}

bool eventually(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (!done()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

} // namespace hive::test
