#pragma once

#include <openssl/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hive::test {

// The server's end of one connection, used by a script from top to bottom. Every wait ends when the
// server does.
class Peer {
public:
    Peer(int socket, SSL_CTX* tls);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    bool shake_hands();         // TLS; false: the client did not want to
    std::string read_request(); // one of HTTP with its body; empty: the client is gone
    std::string read(std::size_t bytes);
    bool send(std::string_view bytes);
    void wait_for_end(); // until the client closes
    void reset();        // RST instead of FIN
    void close();        // TLS: with a close_notify
    int number = 0;      // which connection this is, from 0
    bool resumed() const;
    std::string server_name() const; // that the client asked for

private:
    std::string fill(); // what comes next

    int socket_;
    std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
    std::string buffer_;
};

// A server on plain sockets that does to each client what a script says: well, badly or not at all.
class ScriptedServer {
public:
    using Script = std::function<void(Peer&)>;
    // Listens on 127.0.0.1. `tls` may be null; with it, scripts call shake_hands first.
    explicit ScriptedServer(Script script, std::shared_ptr<SSL_CTX> tls = nullptr);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    std::uint16_t port() const noexcept { return port_; }
    std::string url(std::string_view scheme = "http", std::string_view host = "127.0.0.1") const;
    int connections() const noexcept { return connections_; } // accepted so far

private:
    void accept_all();

    Script script_;
    std::shared_ptr<SSL_CTX> tls_;
    int listener_;
    std::uint16_t port_ = 0;
    std::atomic<int> connections_{0};
    std::mutex mutex_;
    std::vector<int> open_; // ended with the server
    std::vector<std::thread> threads_;
    std::thread acceptor_;
};

// Answers every request of a connection with the same bytes.
ScriptedServer::Script always(std::string answer);
std::string ok(std::string_view body); // 200 with its length

// A server's TLS with this certificate; with `client_ca`, clients need one of that authority.
std::shared_ptr<SSL_CTX> server_tls(
    const std::string& certificate, const std::string& key, const std::string& client_ca = {});

} // namespace hive::test
