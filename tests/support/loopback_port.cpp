#include "tests/support/loopback_port.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <stdexcept>

namespace hive::tests {
namespace {

// Below the range from which the kernel serves `bind` to port 0 and outgoing connections.
constexpr std::uint16_t first_port = 20'000;
constexpr std::uint16_t last_port = 29'999;
constexpr int attempts = 1'000;

// The lock is held by a descriptor that is left open: the kernel closes it with the process.
bool lock_for_this_process(std::uint16_t port) {
    const auto name = fmt::format("hive-test-port-{}", port);
    const auto path = std::filesystem::temp_directory_path() / name;
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return false;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    ::close(fd);
    return false;
}

bool can_be_bound(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return bound;
}

} // namespace

std::uint16_t reserve_loopback_port() {
    std::random_device random;
    std::uniform_int_distribution<std::uint16_t> any{first_port, last_port};
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto port = any(random);
        if (lock_for_this_process(port) && can_be_bound(port)) return port;
    }
    throw std::runtime_error("no free loopback port");
}

} // namespace hive::tests
