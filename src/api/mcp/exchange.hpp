#pragma once

#include "api/mcp/catalog.hpp"
#include "api/mcp/json_rpc.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::mcp {

struct ServerInfo {
    std::string version; // of the program
};

// Revisions of the protocol that we speak, the newest first.
bool is_spoken(std::string_view revision) noexcept;
std::string_view newest_revision() noexcept;

// One message of a client, from its arrival to the answer. Pure: whoever carries it makes the
// requests that it wants, one after the other, and sends what it says in the end.
class Exchange {
public:
    Exchange(const ServerInfo& server, const tl::expected<Message, RpcError>& read);

    // The request to make next; none: it is over.
    const std::optional<RestCall>& wants() const noexcept { return wants_; }
    void answered(const RestAnswer& answer);

    // The client gave it up: what was done is undone where that is possible, and nothing is said.
    void cancel() noexcept { cancelled_ = true; }

    // The answer; empty when there is none to give, as to a notification.
    std::string answer() const { return cancelled_ ? std::string{} : answer_; }

    bool is_request() const noexcept { return message_.kind == Message::Kind::request; }
    bool begins_session() const noexcept { return begins_session_; }
    bool is_malformed() const noexcept { return malformed_; }
    const json::value& id() const noexcept { return message_.id; }
    // The request that this message gives up.
    const std::optional<json::value>& cancels() const noexcept { return cancels_; }

private:
    void begin(const ServerInfo& server);
    void initialize(const ServerInfo& server);
    void list_tools();
    void call_tool();
    void take(Turn turn);
    void finish(const ToolResult& result);
    void refuse(RpcCode code, std::string why);

    Message message_{};
    const Tool* tool_ = nullptr;
    json::object arguments_{};
    std::size_t turns_ = 0;
    std::optional<RestCall> wants_{};
    std::optional<json::value> cancels_{};
    std::string answer_{};
    bool cancelled_ = false;
    bool undoing_ = false;
    bool begins_session_ = false;
    bool malformed_ = false;
};

} // namespace hive::mcp
