#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"
#include "redis/socket_shell.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace hive::redis {

struct Server {
    std::string host = "localhost";
    std::uint16_t port = 6379;
    std::string username{};
    Secret password{};
    bool tls = false;
    std::string ca_file{};                     // PEM; empty: the authorities this machine trusts
    bool verify = true;                        // the chain and the host's name
    Duration within = std::chrono::seconds{3}; // to connect, and for the answers to one batch
    bool operator==(const Server&) const = default;
};

using Command = std::vector<std::string>;

struct Reply {
    enum class Kind : std::uint8_t { nil, integer, text, list, error };
    Kind kind = Kind::nil;
    std::int64_t integer = 0;
    std::string text{}; // of a text or an error
    std::vector<Reply> list{};

    bool is(Kind other) const noexcept { return kind == other; }
};

// One conversation with a server; one thread at a time. It waits, but never beyond the deadline.
class Connection {
public:
    static Result<std::unique_ptr<Connection>> open(const Server& server);

    // Sends all of them at once and returns a reply for each; one of them may be an error. When
    // this fails nobody knows which of them were carried out, and the connection is of no more use.
    Result<std::vector<Reply>> run(std::span<const Command> commands);
    Result<Reply> run(Command command); // an error that is the reply is an error here

private:
    struct FreeReader {
        void operator()(redisReader* reader) const;
    };
    Connection(Socket socket, const Server& server);
    Status greet(const Server& server);
    Result<Reply> receive(TimePoint deadline);

    Socket socket_;
    std::string name_; // for errors
    Duration within_;
    std::unique_ptr<redisReader, FreeReader> reader_;
    std::string out_{};
    std::vector<char> in_;
};

} // namespace hive::redis
