#pragma once

#include "mock/server.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <thread>

namespace hive::test {

// A mock inside the test, on free ports.
class RunningMock {
public:
    explicit RunningMock(mock::Settings settings, mock::RequestLog* log = nullptr) {
        if (settings.tcp.empty()) settings.http = 0;
        auto started = mock::Server::start(settings, clock, log);
        REQUIRE_MESSAGE(started.has_value(), started.error().detail);
        server = *std::move(started);
    }

    Client http() const { return Client::tcp(fmt::format("127.0.0.1:{}", *server->http_port())); }
    Client tcp(std::size_t index = 0) const {
        return Client::tcp(fmt::format("127.0.0.1:{}", server->tcp()[index].port));
    }

    // Waits until the record says so; a test that waits in vain fails.
    template <class Condition>
    void until(const Condition& holds) const {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        while (!holds(server->record())) {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            std::this_thread::sleep_for(std::chrono::milliseconds{2});
        }
    }

    SystemClock clock{};
    std::unique_ptr<mock::Server> server{};
};

} // namespace hive::test
