#pragma once

#include "api/http/server.hpp"
#include "tests/system/http_client.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace hive::test {

// Serves a handful of paths straight from the transport, without routes:
// /echo answers with the body, /big with a megabyte, /slow once release() was called, /throw with
// an exception; anything else with its path.
class EchoApplication final : public http::Application {
public:
    std::size_t body_limit(const http::Request& request) const override;
    http::Eventually<http::Response> answer(const http::Request& request) override;
    http::Response refuse(const http::Refusal& refusal, const http::Peer& peer) override;

    void wait_for_slow(std::size_t requests); // until that many wait in /slow
    void release();

private:
    http::asio::awaitable<http::Response> slow();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::function<void(int)>> waiting_;
};

struct TransportUnderTest {
    explicit TransportUnderTest(http::ServerOptions options = {});
    explicit TransportUnderTest(http::Limits limits);

    const std::string& address() const { return server->addresses().front(); }
    Client connect() const { return Client::tcp(address()); }

    EchoApplication application;
    std::unique_ptr<http::Server> server;
};

// Polls until `done` holds; false after ten seconds.
bool eventually(const std::function<bool()>& done);

} // namespace hive::test
