#pragma once

#include "api/http/admission.hpp"
#include "api/http/listen.hpp"
#include "api/http/shard.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>

namespace hive::http {

// One listening socket. Lives on one shard and deals connections out to all of them in turn, which
// spreads a few long connections better than SO_REUSEPORT's hash does.
class Acceptor {
public:
    struct Surroundings {
        std::vector<std::unique_ptr<Shard>>& shards;
        Admission& admission;
        Application& application;
        Traffic& traffic;
        std::function<void(const std::string&)> complain;
    };

    static Result<std::unique_ptr<Acceptor>>
    open(const ListenAt& at, const Endpoint& endpoint, Surroundings surroundings);
    ~Acceptor();

    asio::awaitable<void> run();
    void close(); // on its own thread
    std::string address() const;

private:
    using Socket = asio::generic::stream_protocol::socket;
    using Listening = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

    Acceptor(std::shared_ptr<TlsContext> tls, Surroundings surroundings);
    Status bind(const Endpoint& endpoint);
    void welcome(Socket socket, Shard& shard);
    void turn_away(Socket socket, const Endpoint& remote, const Error& why);

    std::shared_ptr<TlsContext> tls_;
    Surroundings around_;
    Listening socket_;
    asio::steady_timer pause_;
    std::string unix_path_; // removed with the acceptor
    std::size_t next_shard_ = 0;
};

} // namespace hive::http
