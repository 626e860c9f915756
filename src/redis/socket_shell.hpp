#pragma once

#include "call/tls.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hive::redis {

// A TCP connection, plain or with TLS, on which every wait ends. One thread at a time.
class Socket {
public:
    static Result<Socket> connect(const std::string& host, std::uint16_t port, Duration within);
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    ~Socket();

    // From here on everything is encrypted; the peer proves that it is `host` if the client wants.
    Status secure(const call::TlsClient& client, const std::string& host, TimePoint deadline);

    Status send(std::string_view bytes, TimePoint deadline);
    Result<std::size_t> receive(std::span<char> into, TimePoint deadline); // at least one byte

private:
    explicit Socket(int fd) : fd_{fd} {}
    Status wait(short events, TimePoint deadline) const;

    // Waits for what TLS waits for; an error unless trying again makes sense.
    Status wait_for_tls(int result, std::string_view doing, TimePoint deadline) const;
    Status send_tls(std::string_view bytes, TimePoint deadline);
    Result<std::size_t> receive_tls(std::span<char> into, TimePoint deadline);

    struct FreeTls {
        void operator()(ssl_st* tls) const noexcept;
    };

    int fd_;
    std::unique_ptr<ssl_st, FreeTls> tls_{}; // none: plain; goes before its socket
};

} // namespace hive::redis
