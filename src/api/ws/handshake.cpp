#include "api/ws/handshake.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace hive::ws {
namespace {

// 16 bytes in base64: 22 characters and two signs of padding.
bool is_key(std::string_view key) {
    const auto digit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '/';
    };
    return key.size() == 24 && key.ends_with("==") && std::ranges::all_of(key.substr(0, 22), digit);
}

http::Refusal bad(std::string detail) {
    return {400, "bad-upgrade", std::move(detail)};
}

} // namespace

std::string accept_key(std::string_view key) {
    const std::string text = std::string{key} + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::array<unsigned char, 29> encoded{};
    const int size = EVP_EncodeBlock(encoded.data(), digest.data(), digest.size());
    return {reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(size)};
}

tl::expected<http::Response, http::Refusal>
accept_upgrade(const http::Request& request, const HandshakeOptions& options) {
    if (!request.lists("Upgrade", "websocket") || !request.lists("Connection", "Upgrade")) {
        return tl::unexpected{
            http::Refusal{426, "upgrade-required", "this path speaks WebSocket only"}};
    }
    if (request.method != http::Method::get || request.version < 11 || request.has_body()) {
        return tl::unexpected{bad("an upgrade is a GET of HTTP/1.1 without a body")};
    }
    if (request.header("Sec-WebSocket-Version") != "13") {
        return tl::unexpected{
            http::Refusal{426, "websocket-version", "we speak version 13 of WebSocket"}};
    }
    const std::string_view key = request.header("Sec-WebSocket-Key").value_or("");
    if (!is_key(key) || request.count("Sec-WebSocket-Key") != 1) {
        return tl::unexpected{bad("Sec-WebSocket-Key is not 16 bytes in base64")};
    }
    http::Response response{.status = 101};
    response.headers.add("Upgrade", "websocket");
    response.headers.add("Sec-WebSocket-Accept", accept_key(key));
    for (const std::string& protocol : options.subprotocols) {
        if (!request.lists("Sec-WebSocket-Protocol", protocol)) continue;
        response.headers.add("Sec-WebSocket-Protocol", protocol);
        break;
    }
    return response;
}

} // namespace hive::ws
