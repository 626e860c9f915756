#include "api/http/server.hpp"

#include "api/http/acceptor.hpp"
#include "api/http/shard.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace hive::http {

class Server::Core {
public:
    Core(ServerOptions options, Application& application)
        : options_{std::move(options)}, admission_{options_.limits}, application_{application},
          shards_{make_shards()} {}
    ~Core() { shut_down(Duration::zero()); }

    Status listen() {
        for (const ListenAt& at : options_.listen) {
            const auto endpoint = parse_address(at.address);
            if (!endpoint) return fail(endpoint.error());
            auto allowed = check_exposure(at, *endpoint, options_.allow_exposed_plain);
            if (!allowed) return allowed;
            auto acceptor = Acceptor::open(
                at, *endpoint, {shards_, admission_, application_, traffic_, options_.complain});
            if (!acceptor) return fail(acceptor.error());
            addresses_.push_back((*acceptor)->address());
            acceptors_.push_back(std::move(*acceptor));
        }
        return {};
    }

    void start() {
        for (auto& acceptor : acceptors_) {
            asio::co_spawn(first_io(), acceptor->run(), asio::detached);
        }
        asio::co_spawn(first_io(), watch_certificates(), asio::detached);
        for (auto& shard : shards_) shard->start();
        running_ = true;
    }

    bool shut_down(Duration grace) {
        if (!std::exchange(running_, false)) return true;
        close_acceptors();
        for (auto& shard : shards_) shard->stop_connections();
        const auto limit = std::chrono::duration_cast<std::chrono::steady_clock::duration>(grace);
        const bool drained = admission_.wait_until_empty(std::chrono::steady_clock::now() + limit);
        if (!drained) {
            for (auto& shard : shards_) shard->abort_connections();
            // Woken coroutines still have to close their sockets; what hangs in a handler is
            // destroyed with its io_context.
            admission_.wait_until_empty(std::chrono::steady_clock::now() + abort_grace);
        }
        for (auto& shard : shards_) shard->halt();
        return drained;
    }

    const std::vector<std::string>& addresses() const noexcept { return addresses_; }
    const Traffic& traffic() const noexcept { return traffic_; }
    std::vector<asio::any_io_executor> executors() const {
        std::vector<asio::any_io_executor> all;
        for (const auto& shard : shards_) all.push_back(shard->io().get_executor());
        return all;
    }

private:
    static constexpr std::chrono::milliseconds abort_grace{500};

    std::vector<std::unique_ptr<Shard>> make_shards() {
        std::vector<std::unique_ptr<Shard>> shards(std::max<std::size_t>(1, options_.threads));
        for (auto& shard : shards) {
            shard = std::make_unique<Shard>(
                Shard::Shared{options_.limits, application_, traffic_, handshakes_});
        }
        return shards;
    }

    asio::io_context& first_io() { return shards_.front()->io(); }

    void close_acceptors() {
        std::promise<void> closed;
        asio::post(first_io(), [&] {
            for (auto& acceptor : acceptors_) acceptor->close();
            certificate_timer_.cancel();
            closed.set_value();
        });
        closed.get_future().wait(); // the thread is ours and runs until halt()
    }

    asio::awaitable<void> watch_certificates() {
        while (options_.certificate_check > Duration::zero()) {
            certificate_timer_.expires_after(
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    options_.certificate_check));
            const auto [stopped] =
                co_await certificate_timer_.async_wait(asio::as_tuple(asio::use_awaitable));
            if (stopped) co_return;
            for (const ListenAt& at : options_.listen) {
                if (!at.tls) continue;
                const auto reloaded = at.tls->reload_if_changed();
                if (!reloaded) options_.complain(reloaded.error().detail);
            }
        }
    }

    ServerOptions options_;
    Traffic traffic_;
    std::atomic<std::size_t> handshakes_{0};
    Admission admission_; // before the shards, whose connections hold its tickets
    Application& application_;
    std::vector<std::string> addresses_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<std::unique_ptr<Acceptor>> acceptors_; // their sockets live on the first shard
    asio::steady_timer certificate_timer_{first_io()};
    bool running_ = false;
};

Server::Server(std::unique_ptr<Core> core) : core_{std::move(core)} {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, Application& application) {
    auto core = std::make_unique<Core>(std::move(options), application);
    if (auto listening = core->listen(); !listening) return fail(listening.error());
    core->start();
    return std::unique_ptr<Server>{new Server{std::move(core)}};
}

const std::vector<std::string>& Server::addresses() const noexcept {
    return core_->addresses();
}
const Traffic& Server::traffic() const noexcept {
    return core_->traffic();
}
std::vector<asio::any_io_executor> Server::executors() const {
    return core_->executors();
}
bool Server::shut_down(Duration grace) {
    return core_->shut_down(grace);
}

} // namespace hive::http
