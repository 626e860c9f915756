#pragma once

#include "api/http/admission.hpp"
#include "api/http/application.hpp"
#include "api/http/limits.hpp"
#include "api/http/listen.hpp"
#include "api/http/traffic.hpp"
#include "kernel/result.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hive::http {

struct ServerOptions {
    std::vector<ListenAt> listen;
    bool allow_exposed_plain = false;
    std::size_t threads = 1;
    Limits limits{};
    Duration certificate_check = std::chrono::seconds{30}; // between two looks at the files
    // Sentences about what went wrong beside any request: accept errors, a bad certificate.
    std::function<void(const std::string&)> complain = [](const std::string&) {};
};

// Listens, accepts and spreads connections over its threads. `application` outlives the server.
class Server {
public:
    static Result<std::unique_ptr<Server>> start(ServerOptions options, Application& application);

    ~Server(); // shuts down without grace when nobody did before
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Where it listens, with the ports the system chose for port 0.
    const std::vector<std::string>& addresses() const noexcept;
    const Traffic& traffic() const noexcept;
    std::vector<asio::any_io_executor> executors() const; // one per thread

    // Stops accepting, lets requests under way finish and WebSockets say goodbye; what is left
    // after `grace` is cut. False when something had to be cut.
    bool shut_down(Duration grace);

private:
    class Core;
    explicit Server(std::unique_ptr<Core> core);
    std::unique_ptr<Core> core_;
};

} // namespace hive::http
