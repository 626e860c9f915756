#include "colony/webhooks/format.hpp"

#include "colony/stored.hpp"

#include <fmt/format.h>

namespace hive::colony::webhooks {
namespace {

json::object data_of(const json::object& payload) {
    return object_in(payload, "data");
}

// What it is about, as people call it.
std::string subject_of(const json::object& data) {
    std::string ref = data.contains("ref") ? text_in(data, "ref") : text_in(data, "entityId");
    if (data.contains("title")) ref += ' ' + text_in(data, "title");
    return ref;
}

} // namespace

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return std::string{text};
    constexpr std::string_view more = "…";
    std::size_t end = bytes > more.size() ? bytes - more.size() : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return std::string{text.substr(0, end)} + std::string{more};
}

std::string without_mentions(std::string_view text) {
    constexpr std::string_view no_width = "\u200B";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        out += c;
        if (c == '@') out += no_width;
    }
    return out;
}

std::string headline(const json::object& payload) {
    const json::object data = data_of(payload);
    const std::string type = text_in(payload, "type");
    const std::string actor = text_in(data, "actor");
    const std::string by = actor.empty() ? std::string{} : " by " + actor;
    if (const auto* message = data.if_contains("message"); message && message->is_object()) {
        const json::object& said = message->as_object();
        return fmt::format(
            "{} in {}: {}", text_in(said, "sender"), text_in(said, "channel"),
            text_in(said, "content"));
    }
    return fmt::format("{}: {}{}", subject_of(data), type, by);
}

Result<Message> message_of(const Endpoint& endpoint, const Delivery& delivery) {
    Message message{.headers = {{"Content-Type", "application/json"}}, .body = delivery.payload};
    if (endpoint.format == Format::standard) return message;
    const auto payload = parse_json(delivery.payload, {.bytes = delivery.payload.size() + 1});
    if (!payload) return fail(payload.error());
    if (endpoint.format == Format::discord) {
        message.body = to_text(discord_message(payload->as_object()));
    } else {
        message.headers.emplace_back("Accept", "application/vnd.github+json");
        message.headers.emplace_back("X-GitHub-Api-Version", "2022-11-28");
        message.body = to_text(github_message(payload->as_object(), endpoint.url));
    }
    return message;
}

Result<Message> signed_message(const Endpoint& endpoint, const Delivery& delivery, Timestamp now) {
    auto message = message_of(endpoint, delivery);
    if (!message) return message;
    const auto signature = signatures(endpoint, {delivery.id, now, message->body});
    if (!signature) return fail(signature.error());
    message->headers.emplace_back("webhook-id", delivery.id);
    message->headers.emplace_back("webhook-timestamp", std::to_string(seconds_of(now)));
    message->headers.emplace_back("webhook-signature", *signature);
    const Secret& token = endpoint.secrets.token;
    if (!token.empty()) {
        message->headers.emplace_back("Authorization", fmt::format("Bearer {}", token.reveal()));
    }
    return message;
}

} // namespace hive::colony::webhooks
