#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hive::mock {

// A descriptor that is closed with its owner.
class Socket {
public:
    Socket() = default;
    explicit Socket(int fd) noexcept : fd_{fd} {}
    Socket(Socket&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    Socket& operator=(Socket&& other) noexcept {
        if (this != &other) {
            close();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~Socket() { close(); }

    int fd() const noexcept { return fd_; }
    bool open() const noexcept { return fd_ >= 0; }
    void close() noexcept;
    void reset_on_close() noexcept; // the other end hears a reset, not an end
    void send_at_once() noexcept;   // small pieces do not wait for more
    void end_sending() noexcept;

    // As the system calls of these names: below zero is an error in `errno`; nothing blocks.
    std::ptrdiff_t receive(std::span<char> into) const noexcept;
    std::ptrdiff_t send(std::string_view bytes) const noexcept;
    Socket accept() const noexcept; // not open: an error in `errno`

private:
    int fd_ = -1;
};

enum class Sharing : bool { alone, with_other_threads };
// Listens without blocking; port 0 lets the system choose.
Result<Socket> listen_on(const std::string& host, std::uint16_t port, Sharing sharing);
std::uint16_t port_of(const Socket& socket);

std::string system_error_text(int error);

} // namespace hive::mock
