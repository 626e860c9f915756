#include "tests/system/web_server.hpp"

#include "api/http/await_callback.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hive::test {

using namespace std::chrono_literals;

WebServer::WebServer(Answer answer, std::shared_ptr<http::TlsContext> tls)
    : answer_{std::move(answer)}, secure_{tls != nullptr} {
    auto started =
        http::Server::start({.listen = {{.address = "127.0.0.1:0", .tls = std::move(tls)}}}, *this);
    if (!started) throw std::runtime_error{started.error().detail};
    server_ = std::move(*started);
}

WebServer::~WebServer() {
    server_->shut_down(Duration::zero());
}

std::string WebServer::port() const {
    const std::string& address = server_->addresses().front();
    return address.substr(address.rfind(':') + 1);
}

std::string WebServer::url(const std::string& path) const {
    return fmt::format("{}://127.0.0.1:{}{}", secure_ ? "https" : "http", port(), path);
}

http::Eventually<http::Response> WebServer::answer(const http::Request& request) {
    return answer_(request);
}

http::Response WebServer::refuse(const http::Refusal& refusal, const http::Peer&) {
    return text_answer(refusal.detail, refusal.status);
}

http::asio::awaitable<http::Response> Gate::wait() {
    const auto remember = [this](std::function<void(int)> done) {
        const std::lock_guard lock{mutex_};
        waiting_.push_back(std::move(done));
        changed_.notify_all();
    };
    if (!co_await http::await_callback<int>(remember, 60s)) {
        throw std::runtime_error{"nobody opened the gate"};
    }
    co_return text_answer("late");
}

void Gate::wait_for(std::size_t requests) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, 10s, [&] { return waiting_.size() >= requests; })) {
        throw std::runtime_error{"nobody waits at the gate"};
    }
}

void Gate::open() {
    std::vector<std::function<void(int)>> all;
    {
        const std::lock_guard lock{mutex_};
        all.swap(waiting_);
    }
    for (const auto& go : all) go(0);
}

http::Response text_answer(std::string body, unsigned status) {
    return {.status = status, .content_type = "text/plain", .body = std::move(body)};
}

} // namespace hive::test
