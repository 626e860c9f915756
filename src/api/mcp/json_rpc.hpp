#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::mcp {

// What is wrong with a message, as JSON-RPC 2.0 numbers it.
enum class RpcCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
};

struct RpcError {
    RpcCode code = RpcCode::invalid_request;
    std::string message;
    json::value id = nullptr; // of the request, where it could be read
};

// One message of a client. An answer to a question of ours would be a message too; we ask none.
struct Message {
    enum class Kind : std::uint8_t { request, notification, answer };
    Kind kind = Kind::notification;
    json::value id = nullptr; // a string or an integer
    std::string method{};
    json::object params{};
};

inline constexpr std::size_t message_bytes_max = std::size_t{1} << 20U;

// Batches are refused: the protocol has none any more.
tl::expected<Message, RpcError> parse_message(std::string_view text);
tl::expected<Message, RpcError> read_message(const json::value& document);

std::string result_text(const json::value& id, const json::object& result);
std::string error_text(const RpcError& error);

} // namespace hive::mcp
