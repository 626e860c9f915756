#pragma once

#include "cli/client_config.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "web/client.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::cli {

// What a server says when it refuses (RFC 9457).
struct ServerProblem {
    std::string code{}; // a stable word: `slow-down`
    std::string detail{};
};

// The REST API of one server as one person. Refusals become errors with the server's own words;
// that nobody answers becomes one with what to do about it.
class ServerClient {
public:
    static Result<ServerClient> open(Connection connection);

    using Query = std::vector<std::pair<std::string, std::string>>; // empty values are left out
    Result<json::value> get(std::string path, const Query& query = {});
    Result<json::value> post(std::string path, const json::value& body = {});
    // Instead of what has this revision: another is refused. 0: whatever it is.
    Result<json::value> put(std::string path, const json::value& body, std::uint64_t revision = 0);
    Result<json::value> patch(std::string path, const json::value& body);
    Result<json::value> remove(std::string path);
    Result<std::string> get_text(std::string path);
    // Of any length; the sink's own trouble is what is answered then.
    Status download(std::string path, const std::function<Status(std::string_view)>& sink);

    // As it came, whatever its status.
    struct Ask {
        std::string method = "GET";
        std::string path;
        std::string body{};
        std::string if_match{};
        Duration within = std::chrono::seconds{30};
        std::function<bool(std::string_view)> sink{};
    };
    Result<web::Answer> ask(Ask ask);
    Error error_of(const web::Answer& answer) const;
    static ServerProblem problem_of(const web::Answer& answer);

    const std::string& server() const noexcept { return connection_.server; }
    Duration patience = std::chrono::seconds{30}; // for whole answers

private:
    ServerClient(Connection connection, std::unique_ptr<web::Client> client)
        : connection_{std::move(connection)}, client_{std::move(client)} {}
    Result<json::value> json_of(Result<web::Answer> answer) const;

    Connection connection_;
    std::unique_ptr<web::Client> client_;
};

std::string percent_encoded(std::string_view text); // as one part of a path or query

} // namespace hive::cli
