#pragma once

#include "mock/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hive::mock {

class Worker;

// A mock that runs until it is stopped.
class Server {
public:
    // The clock and the log outlive it; without a log requests are only counted.
    static Result<std::unique_ptr<Server>>
    start(const Settings& settings, const Clock& clock, RequestLog* log = nullptr);
    ~Server(); // stops
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // As chosen by the system where 0 was asked for.
    std::optional<std::uint16_t> http_port() const noexcept { return http_port_; }
    const std::vector<TcpEndpoint>& tcp() const noexcept { return tcp_; }

    Record record() const { return site_.record(); }
    void stop(); // answers under way are cut off

private:
    Server(const Settings& settings, const Clock& clock, RequestLog* log);
    Status open();

    Site site_;
    std::optional<std::uint16_t> http_port_{};
    std::vector<TcpEndpoint> tcp_{};
    std::vector<std::unique_ptr<Worker>> workers_{};
    std::vector<std::thread> threads_{};
};

} // namespace hive::mock
