#include "tests/system/call_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace hive::test {
namespace {

std::size_t length_of_body(std::string_view head) {
    constexpr std::string_view name = "Content-Length: ";
    const std::size_t at = head.find(name);
    if (at == head.npos) return 0;
    return std::strtoul(std::string{head.substr(at + name.size(), 20)}.c_str(), nullptr, 10);
}

// OpenSSL writes without MSG_NOSIGNAL. Only in threads of the server: that the client raises none
// is something to be tested.
void block_sigpipe() {
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
}

} // namespace

Peer::Peer(int socket, SSL_CTX* tls)
    : socket_{socket}, ssl_{tls == nullptr ? nullptr : SSL_new(tls), SSL_free} {
    const int at_once = 1; // a piece of an answer does not wait for the one before to be confirmed
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    if (ssl_) SSL_set_fd(ssl_.get(), socket_);
}

Peer::~Peer() = default; // the socket is the server's

bool Peer::shake_hands() {
    ERR_clear_error();
    return SSL_accept(ssl_.get()) == 1;
}

std::string Peer::fill() {
    std::array<char, 16'384> some{};
    ssize_t got = 0;
    if (ssl_) {
        ERR_clear_error();
        got = SSL_read(ssl_.get(), some.data(), static_cast<int>(some.size()));
    } else {
        got = ::recv(socket_, some.data(), some.size(), 0);
    }
    return got > 0 ? std::string{some.data(), static_cast<std::size_t>(got)} : std::string{};
}

std::string Peer::read(std::size_t bytes) {
    while (buffer_.size() < bytes) {
        const std::string more = fill();
        if (more.empty()) break;
        buffer_ += more;
    }
    std::string taken = buffer_.substr(0, bytes);
    buffer_.erase(0, bytes);
    return taken;
}

std::string Peer::read_request() {
    std::size_t end = buffer_.npos;
    while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos) {
        const std::string more = fill();
        if (more.empty()) return {};
        buffer_ += more;
    }
    return read(end + 4 + length_of_body(std::string_view{buffer_}.substr(0, end)));
}

bool Peer::send(std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t sent = 0;
        if (ssl_) {
            ERR_clear_error();
            sent = SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
        } else {
            sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        }
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Peer::wait_for_end() {
    while (!fill().empty()) {
    }
}

void Peer::reset() {
    const linger now{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    // The descriptor stays the server's; connecting to nowhere breaks the connection off.
    sockaddr nowhere{};
    nowhere.sa_family = AF_UNSPEC;
    ::connect(socket_, &nowhere, sizeof nowhere);
}

void Peer::close() {
    if (ssl_) SSL_shutdown(ssl_.get());
    ::shutdown(socket_, SHUT_RDWR);
}

bool Peer::resumed() const {
    return SSL_session_reused(ssl_.get()) == 1;
}

std::string Peer::server_name() const {
    const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
}

ScriptedServer::ScriptedServer(Script script, std::shared_ptr<SSL_CTX> tls)
    : script_{std::move(script)}, tls_{std::move(tls)},
      listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 128) != 0)
        throw std::runtime_error{"cannot listen"};
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread{[this] { accept_all(); }};
}

ScriptedServer::~ScriptedServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
        const std::lock_guard lock{mutex_};
        for (const int each : open_) ::shutdown(each, SHUT_RDWR);
    }
    for (std::thread& each : threads_) each.join();
    for (const int each : open_) ::close(each);
    ::close(listener_);
}

std::string ScriptedServer::url(std::string_view scheme, std::string_view host) const {
    return fmt::format("{}://{}:{}", scheme, host, port_);
}

void ScriptedServer::accept_all() {
    for (;;) {
        const int socket = ::accept(listener_, nullptr, nullptr);
        if (socket < 0 && errno == EMFILE) { // a test takes the descriptors away for a moment
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
            continue;
        }
        if (socket < 0) return;
        const std::lock_guard lock{mutex_};
        open_.push_back(socket);
        const int number = connections_++;
        threads_.emplace_back([this, socket, number] {
            block_sigpipe();
            Peer peer{socket, tls_.get()};
            peer.number = number;
            script_(peer);
            // The end of the script is the end of the connection; the number is freed at the end.
            ::shutdown(socket, SHUT_RDWR);
        });
    }
}

ScriptedServer::Script always(std::string answer) {
    return [answer = std::move(answer)](Peer& peer) {
        while (!peer.read_request().empty() && peer.send(answer)) {
        }
    };
}

std::string ok(std::string_view body) {
    return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
}

std::shared_ptr<SSL_CTX>
server_tls(const std::string& certificate, const std::string& key, const std::string& client_ca) {
    std::shared_ptr<SSL_CTX> context{SSL_CTX_new(TLS_server_method()), SSL_CTX_free};
    if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1)
        throw std::runtime_error{"cannot use the certificate " + certificate};
    if (!client_ca.empty()) {
        SSL_CTX_load_verify_locations(context.get(), client_ca.c_str(), nullptr);
        SSL_CTX_set_verify(
            context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    const unsigned char id[] = "call";
    SSL_CTX_set_session_id_context(context.get(), id, sizeof id - 1);
    return context;
}

} // namespace hive::test
