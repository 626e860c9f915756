#include "api/mcp/json_rpc.hpp"

namespace hive::mcp {
namespace {

constexpr std::size_t id_bytes_max = 256;
constexpr std::size_t method_bytes_max = 128;

using Read = tl::expected<Message, RpcError>;

auto refused(std::string message, json::value id = nullptr) {
    return tl::unexpected<RpcError>(
        RpcError{RpcCode::invalid_request, std::move(message), std::move(id)});
}

bool is_id(const json::value& id) {
    if (id.is_string()) return id.get_string().size() <= id_bytes_max;
    return id.is_int64() || id.is_uint64();
}

} // namespace

Read parse_message(std::string_view text) {
    const auto document = parse_json(text, {.bytes = message_bytes_max, .depth = 32});
    if (!document) {
        return tl::unexpected<RpcError>(RpcError{RpcCode::parse_error, document.error().detail});
    }
    return read_message(*document);
}

Read read_message(const json::value& document) {
    if (!document.is_object()) return refused("a message is one object; there are no batches");
    const json::object& in = document.get_object();
    Message message;
    if (const auto* id = in.if_contains("id")) {
        if (!is_id(*id)) return refused("an id is an integer or a string of up to 256 bytes");
        message.id = *id;
    }
    const auto* version = in.if_contains("jsonrpc");
    if (version == nullptr || *version != "2.0") {
        return refused("a message says \"jsonrpc\": \"2.0\"", message.id);
    }
    const auto* method = in.if_contains("method");
    if (method == nullptr) {
        if (!in.contains("id") || in.contains("result") == in.contains("error")) {
            return refused("a message has a method, or the answer to one", message.id);
        }
        message.kind = Message::Kind::answer;
        return message;
    }
    if (!method->is_string() || method->get_string().size() > method_bytes_max) {
        return refused("a method is a string of up to 128 bytes", message.id);
    }
    message.method = method->get_string();
    message.kind = in.contains("id") ? Message::Kind::request : Message::Kind::notification;
    if (const auto* params = in.if_contains("params")) {
        if (!params->is_object()) return refused("params is an object", message.id);
        message.params = params->get_object();
    }
    return message;
}

std::string result_text(const json::value& id, const json::object& result) {
    return to_text(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

std::string error_text(const RpcError& error) {
    return to_text(json::object{
        {"jsonrpc", "2.0"},
        {"id", error.id},
        {"error",
         json::object{{"code", static_cast<int>(error.code)}, {"message", error.message}}}});
}

} // namespace hive::mcp
