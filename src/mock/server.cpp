#include "mock/server.hpp"

#include "mock/worker.hpp"

namespace hive::mock {

Server::Server(const Settings& settings, const Clock& clock, RequestLog* log)
    : site_{settings, clock, log} {}

Result<std::unique_ptr<Server>>
Server::start(const Settings& settings, const Clock& clock, RequestLog* log) {
    if (auto checked = check(settings); !checked) return fail(checked.error());
    std::unique_ptr<Server> server{new Server{settings, clock, log}};
    if (auto opened = server->open(); !opened) return fail(opened.error());
    for (const auto& worker : server->workers_)
        server->threads_.emplace_back([&runs = *worker] { runs.run(); });
    return server;
}

Server::~Server() {
    stop();
}

Status Server::open() {
    const Settings& settings = site_.settings();
    const Sharing sharing = settings.threads > 1 ? Sharing::with_other_threads : Sharing::alone;
    http_port_ = settings.http;
    tcp_ = settings.tcp;
    for (std::size_t thread = 0; thread < settings.threads; ++thread) {
        std::vector<Listener> listeners;
        if (http_port_) {
            auto socket = listen_on(settings.listen, *http_port_, sharing);
            if (!socket) return fail(socket.error());
            http_port_ = port_of(*socket); // the other threads join it there
            listeners.push_back({*std::move(socket), std::nullopt});
        }
        for (TcpEndpoint& endpoint : tcp_) {
            auto socket = listen_on(settings.listen, endpoint.port, sharing);
            if (!socket) return fail(socket.error());
            endpoint.port = port_of(*socket);
            listeners.push_back({*std::move(socket), endpoint.framing});
        }
        auto worker = Worker::make(site_, thread, std::move(listeners));
        if (!worker) return fail(worker.error());
        workers_.push_back(*std::move(worker));
    }
    return {};
}

void Server::stop() {
    for (const auto& worker : workers_) worker->stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

} // namespace hive::mock
