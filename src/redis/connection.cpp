#include "redis/connection.hpp"

#include "kernel/append_format.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

namespace hive::redis {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10U;

void append_command(std::string& out, const Command& command) {
    append_format(out, "*{}\r\n", command.size());
    for (const std::string& word : command) {
        append_format(out, "${}\r\n", word.size());
        out += word;
        out += "\r\n";
    }
}

Reply reply_of(const redisReply& from) {
    Reply reply;
    switch (from.type) {
    case REDIS_REPLY_INTEGER:
        reply.kind = Reply::Kind::integer;
        reply.integer = from.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
        reply.kind = Reply::Kind::text;
        reply.text.assign(from.str, from.len);
        break;
    case REDIS_REPLY_ERROR:
        reply.kind = Reply::Kind::error;
        reply.text.assign(from.str, from.len);
        break;
    case REDIS_REPLY_ARRAY:
        reply.kind = Reply::Kind::list;
        for (std::size_t i = 0; i < from.elements; ++i) {
            reply.list.push_back(reply_of(*from.element[i]));
        }
        break;
    default: break; // nil
    }
    return reply;
}

Result<Socket> connect(const Server& server) {
    const TimePoint deadline = SystemClock{}.now() + server.within;
    auto socket = Socket::connect(server.host, server.port, server.within);
    if (!socket || !server.tls) return socket;
    const auto client = call::TlsClient::load(
        {.verify = server.verify, .ca_file = server.ca_file, .offer_http = false});
    if (!client) return fail(client.error());
    if (auto ok = socket->secure(**client, server.host, deadline); !ok) return fail(ok.error());
    return socket;
}

} // namespace

void Connection::FreeReader::operator()(redisReader* reader) const {
    ::redisReaderFree(reader);
}

Connection::Connection(Socket socket, const Server& server)
    : socket_{std::move(socket)}, name_{fmt::format("Redis at {}:{}", server.host, server.port)},
      within_{server.within}, reader_{::redisReaderCreate()}, in_(block_bytes) {}

Result<std::unique_ptr<Connection>> Connection::open(const Server& server) {
    auto socket = connect(server);
    if (!socket) {
        return fail(
            socket.error().code,
            fmt::format("Redis at {}:{}: {}", server.host, server.port, socket.error().detail));
    }
    std::unique_ptr<Connection> connection{new Connection{*std::move(socket), server}};
    if (auto ok = connection->greet(server); !ok) return fail(ok.error());
    return connection;
}

Status Connection::greet(const Server& server) {
    Command command{"PING"};
    if (!server.password.empty()) {
        command = {"AUTH"};
        if (!server.username.empty()) command.push_back(server.username);
        command.emplace_back(server.password.reveal());
    }
    const auto answer = run(std::move(command));
    return answer ? Status{} : fail(answer.error());
}

Result<std::vector<Reply>> Connection::run(std::span<const Command> commands) {
    out_.clear();
    for (const Command& command : commands) append_command(out_, command);
    const TimePoint deadline = SystemClock{}.now() + within_;
    if (auto ok = socket_.send(out_, deadline); !ok) {
        return fail(ok.error().code, fmt::format("{}: {}", name_, ok.error().detail));
    }
    std::vector<Reply> replies;
    replies.reserve(commands.size());
    while (replies.size() < commands.size()) {
        auto reply = receive(deadline);
        if (!reply) {
            return fail(reply.error().code, fmt::format("{}: {}", name_, reply.error().detail));
        }
        replies.push_back(*std::move(reply));
    }
    return replies;
}

Result<Reply> Connection::run(Command command) {
    auto replies = run(std::span<const Command>{&command, 1});
    if (!replies) return fail(replies.error());
    Reply& reply = replies->front();
    if (!reply.is(Reply::Kind::error)) return std::move(reply);
    const bool refused = reply.text.starts_with("WRONGPASS") || reply.text.starts_with("NOAUTH") ||
                         reply.text.starts_with("NOPERM");
    return fail(refused ? Errc::denied : Errc::invalid, fmt::format("{}: {}", name_, reply.text));
}

Result<Reply> Connection::receive(TimePoint deadline) {
    for (;;) {
        void* found = nullptr;
        if (::redisReaderGetReply(reader_.get(), &found) != REDIS_OK) {
            return fail(Errc::unavailable, "what it says is not the Redis protocol");
        }
        if (found != nullptr) {
            const std::unique_ptr<void, decltype(&::freeReplyObject)> owner{
                found, ::freeReplyObject};
            return reply_of(*static_cast<const redisReply*>(found));
        }
        const auto got = socket_.receive(in_, deadline);
        if (!got) return fail(got.error());
        if (::redisReaderFeed(reader_.get(), in_.data(), *got) != REDIS_OK) {
            return fail(Errc::unavailable, "its answer could not be read");
        }
    }
}

} // namespace hive::redis
