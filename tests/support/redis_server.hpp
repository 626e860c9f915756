#pragma once

#include "tests/support/rabbit_certificates.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hive::tests {

// A Redis of our own: loopback only, a port nobody uses, its own directory, everything on disk
// before it is confirmed. Everything throws std::runtime_error when it does not do what it should.
class RedisServer {
public:
    explicit RedisServer(std::string password = {}); // ready when it returns
    struct WithTls {};
    explicit RedisServer(WithTls with); // on a second port; certificates are for `localhost`
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    std::uint16_t port() const noexcept { return port_; }
    std::uint16_t tls_port() const noexcept { return tls_port_; }
    const RabbitCertificates& certificates() const noexcept { return certificates_; }

    void start(); // after kill(), with the data it had
    void kill();  // SIGKILL

    // What redis-cli prints for a command, without the last line end.
    std::string ask(std::vector<std::string> command) const;

private:
    void prepare();

    std::filesystem::path directory_;
    std::string password_;
    std::uint16_t port_ = 0;
    std::uint16_t tls_port_ = 0; // 0: none
    RabbitCertificates certificates_{};
    pid_t server_ = -1;
};

} // namespace hive::tests
