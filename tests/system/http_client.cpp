#include "tests/system/http_client.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace hive::test {
namespace {

constexpr int patience_ms = 10'000;

[[noreturn]] void give_up(const std::string& what) {
    throw std::runtime_error{"client: " + what};
}

std::string lower(std::string text) {
    std::ranges::transform(
        text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

int connected(int family, const sockaddr* address, socklen_t size) {
    const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ::connect(fd, address, size) != 0) {
        give_up(fmt::format("connect: {}", std::strerror(errno)));
    }
    return fd;
}

} // namespace

Client Client::tcp(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
    ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
    return Client{connected(AF_INET, reinterpret_cast<sockaddr*>(&to), sizeof to)};
}

Client Client::local(const std::string& path) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::strncpy(to.sun_path, path.c_str(), sizeof to.sun_path - 1);
    return Client{connected(AF_UNIX, reinterpret_cast<sockaddr*>(&to), sizeof to)};
}

Client Client::tls(const std::string& address) {
    Client client = tcp(address);
    client.tls_context_ = {SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
    client.tls_ = {SSL_new(client.tls_context_.get()), SSL_free};
    SSL_set_fd(client.tls_.get(), client.fd_);
    if (SSL_connect(client.tls_.get()) != 1) give_up("TLS handshake failed");
    return client;
}

Client::Client(Client&& other) noexcept
    : fd_{std::exchange(other.fd_, -1)}, tls_context_{std::move(other.tls_context_)},
      tls_{std::move(other.tls_)}, pending_{std::move(other.pending_)} {}

Client& Client::operator=(Client&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(tls_context_, other.tls_context_);
    std::swap(tls_, other.tls_);
    std::swap(pending_, other.pending_);
    return *this;
}

Client::~Client() {
    if (fd_ >= 0) ::close(fd_);
}

void Client::wait(short events) const {
    if (tls_ && SSL_pending(tls_.get()) > 0) return;
    pollfd entry{fd_, events, 0};
    if (::poll(&entry, 1, patience_ms) <= 0) give_up("nothing happened for ten seconds");
}

bool Client::try_send(std::string_view bytes) {
    while (!bytes.empty()) {
        wait(POLLOUT);
        const ssize_t sent =
            tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                 : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Client::send(std::string_view bytes) {
    if (!try_send(bytes)) give_up(fmt::format("send: {}", std::strerror(errno)));
}

void Client::end_sending() {
    ::shutdown(fd_, SHUT_WR);
}

void Client::shrink_receive_buffer() {
    const int bytes = 4096;
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

std::string Client::receive_some() {
    if (!pending_.empty()) return std::exchange(pending_, {});
    wait(POLLIN);
    std::array<char, 16384> buffer{};
    const ssize_t got = tls_ ? SSL_read(tls_.get(), buffer.data(), buffer.size())
                             : ::recv(fd_, buffer.data(), buffer.size(), 0);
    return got > 0 ? std::string{buffer.data(), static_cast<std::size_t>(got)} : std::string{};
}

std::string Client::receive_exactly(std::size_t bytes) {
    std::string all;
    while (all.size() < bytes) {
        const std::string more = receive_some();
        if (more.empty()) give_up("the stream ended early");
        all += more;
    }
    pending_ = all.substr(bytes);
    return all.substr(0, bytes);
}

std::optional<Answer> Client::receive(bool head) {
    std::string text;
    while (text.find("\r\n\r\n") == text.npos) {
        const std::string more = receive_some();
        if (more.empty()) return std::nullopt;
        text += more;
    }
    const std::size_t end = text.find("\r\n\r\n");
    Answer answer{.status = std::stoi(text.substr(9, 3)), .headers = {}, .body = {}};
    for (std::size_t at = text.find("\r\n") + 2; at < end + 2;) {
        const std::size_t line = text.find("\r\n", at);
        const std::size_t colon = text.find(": ", at);
        answer.headers[lower(text.substr(at, colon - at))] =
            text.substr(colon + 2, line - colon - 2);
        at = line + 2;
    }
    pending_ = text.substr(end + 4);
    const auto length = answer.headers.find("content-length");
    if (!head && length != answer.headers.end()) {
        answer.body = receive_exactly(std::stoul(length->second));
    }
    return answer;
}

Answer Client::get(std::string_view path, std::string_view headers) {
    send(fmt::format("GET {} HTTP/1.1\r\nHost: hive\r\n{}\r\n", path, headers));
    auto answer = receive();
    if (!answer) give_up("closed instead of an answer");
    return std::move(*answer);
}

bool Client::closed_by_server() {
    while (!receive_some().empty()) {
    }
    return true;
}

std::string Client::certificate_subject() const {
    const std::unique_ptr<X509, decltype(&X509_free)> certificate{
        SSL_get1_peer_certificate(tls_.get()), X509_free};
    std::array<char, 256> name{};
    X509_NAME_oneline(X509_get_subject_name(certificate.get()), name.data(), name.size());
    return name.data();
}

} // namespace hive::test
