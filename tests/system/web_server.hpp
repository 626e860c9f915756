#pragma once

#include "api/http/server.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::test {

// A server that answers with a function, as somebody else's would.
class WebServer final : public http::Application {
public:
    using Answer = std::function<http::Eventually<http::Response>(const http::Request&)>;

    explicit WebServer(Answer answer, std::shared_ptr<http::TlsContext> tls = nullptr);
    ~WebServer() override;

    std::string port() const;
    std::string url(const std::string& path = "/") const; // by address: http://127.0.0.1:1234/
    const http::Traffic& traffic() const { return server_->traffic(); }

    std::size_t body_limit(const http::Request&) const override { return std::size_t{4} << 20U; }
    http::Eventually<http::Response> answer(const http::Request& request) override;
    http::Response refuse(const http::Refusal& refusal, const http::Peer& peer) override;

private:
    Answer answer_;
    bool secure_;
    std::unique_ptr<http::Server> server_;
};

// Holds requests back until they are let go.
class Gate {
public:
    http::asio::awaitable<http::Response> wait();
    void wait_for(std::size_t requests); // until that many wait
    void open();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::function<void(int)>> waiting_;
};

http::Response text_answer(std::string body, unsigned status = 200);

} // namespace hive::test
