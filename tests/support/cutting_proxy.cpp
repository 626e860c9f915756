#include "tests/support/cutting_proxy.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace hive::tests {
namespace {

constexpr int look_every = 20; // milliseconds between looks at the stop flag

sockaddr_un address_of(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

bool is_readable(int socket) {
    pollfd watched{.fd = socket, .events = POLLIN, .revents = 0};
    return ::poll(&watched, 1, look_every) > 0;
}

} // namespace

CuttingProxy::CuttingProxy(std::filesystem::path listen_at, std::filesystem::path server)
    : listen_at_{std::move(listen_at)}, server_{std::move(server)} {
    const auto address = address_of(listen_at_);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener_, generic(address), sizeof address) != 0 || ::listen(listener_, 8) != 0) {
        throw std::runtime_error("the proxy cannot listen");
    }
    accepting_ = std::jthread{[this] { accept_all(); }};
}

CuttingProxy::~CuttingProxy() {
    stopping_ = true;
    accepting_.join();
    pumps_.clear();
    ::close(listener_);
}

void CuttingProxy::cut_answer_to(std::string text) {
    const std::lock_guard lock{mutex_};
    cut_text_ = std::move(text);
}

void CuttingProxy::accept_all() {
    while (!stopping_) {
        if (!is_readable(listener_)) continue;
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto address = address_of(server_);
        if (refusing_ || ::connect(server, generic(address), sizeof address) != 0) {
            ::close(client);
            ::close(server);
            continue;
        }
        pumps_.emplace_back([this, client, server] { pump(client, server); });
    }
}

void CuttingProxy::pump(int client, int server) {
    bool cut_next_answer = false;
    while (!stopping_) {
        std::array<pollfd, 2> watched{
            {{.fd = client, .events = POLLIN, .revents = 0},
             {.fd = server, .events = POLLIN, .revents = 0}}};
        if (::poll(watched.data(), watched.size(), look_every) <= 0) continue;
        if (watched[0].revents != 0 && !forward(client, server, true, cut_next_answer)) break;
        if (watched[1].revents != 0 && !forward(server, client, false, cut_next_answer)) break;
    }
    ::close(client);
    ::close(server);
}

// False when the connection is over.
bool CuttingProxy::forward(int from, int to, bool from_client, bool& cut_next_answer) {
    std::array<char, 65536> chunk{};
    const auto size = ::recv(from, chunk.data(), chunk.size(), 0);
    if (size <= 0) return false;
    if (!from_client && cut_next_answer) {
        ++cuts_;
        return false;
    }
    const std::string_view text{chunk.data(), static_cast<std::size_t>(size)};
    if (from_client) {
        const std::lock_guard lock{mutex_};
        if (!cut_text_.empty() && text.find(cut_text_) != text.npos) {
            cut_next_answer = true;
            cut_text_.clear();
        }
    }
    return ::send(to, chunk.data(), text.size(), MSG_NOSIGNAL) == size;
}

} // namespace hive::tests
