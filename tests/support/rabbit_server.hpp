#pragma once

#include "tests/support/rabbit_certificates.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hive::tests {

// A RabbitMQ of our own: loopback only, random ports, its own data directory, its own epmd. It and
// its files are gone when this process ends, however it ends. Everything throws
// std::runtime_error with the server's log when the server does not do what it should.
class RabbitServer {
public:
    struct Options {
        bool tls = false;
        bool require_client_certificate = false;
    };

    RabbitServer() : RabbitServer{Options{}} {}
    explicit RabbitServer(Options options); // ready when it returns
    ~RabbitServer();
    RabbitServer(const RabbitServer&) = delete;
    RabbitServer& operator=(const RabbitServer&) = delete;

    std::string url() const { return url_for("guest:guest", "%2f"); }
    std::string url_for(std::string_view credentials, std::string_view vhost) const;
    std::string tls_url(std::string_view host, std::string_view query) const;
    std::uint16_t port() const noexcept { return port_; }
    const RabbitCertificates& certificates() const noexcept { return certificates_; }

    void start();  // after stop() or kill(), with the data it had
    void stop();   // orderly
    void kill();   // SIGKILL: what was not on disk is gone
    void freeze(); // alive to the kernel, silent to everyone
    void thaw();

    void close_connections();
    void set_alarm(); // the memory alarm: publishers are blocked
    void clear_alarm();
    void add_vhost(std::string_view name);
    void add_user(std::string_view name, std::string_view password);
    struct Permissions {
        std::string_view configure;
        std::string_view write;
        std::string_view read;
    };
    void set_permissions(std::string_view user, std::string_view vhost, Permissions permissions);

    // Evaluates Erlang in the server; for what has no function of its own here.
    std::string eval(const std::string& expression);

private:
    void write_configuration();
    void start_guardian();
    void launch();
    bool is_ready();
    [[noreturn]] void fail(const std::string& what);

    Options options_;
    std::filesystem::path directory_;
    RabbitCertificates certificates_;
    std::string node_;
    std::uint16_t port_ = 0;
    std::uint16_t tls_port_ = 0;
    std::uint16_t dist_port_ = 0;
    std::uint16_t epmd_port_ = 0;
    pid_t epmd_ = -1; // leads the process group that the server joins
    pid_t server_ = -1;
    pid_t guardian_ = -1;
    int guardian_pipe_ = -1;
};

} // namespace hive::tests
