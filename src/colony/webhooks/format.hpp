#pragma once

#include "colony/webhooks/delivery.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive::colony::webhooks {

// What goes out for a delivery, without what signs it.
struct Message {
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body;
};

// The payload as it is, or as GitHub or Discord read it.
Result<Message> message_of(const Endpoint& endpoint, const Delivery& delivery);

// All of a request: signed, with the receiver's token.
Result<Message> signed_message(const Endpoint& endpoint, const Delivery& delivery, Timestamp now);

// What happened, in a line for people: `TASK-9 Measure it: completed by bee:BEE-001`.
std::string headline(const json::object& payload);

// No mention of anybody, whoever wrote the text: an @ is followed by a space of no width.
std::string without_mentions(std::string_view text);
std::string shortened(std::string_view text, std::size_t bytes); // not through a character

// {"content", "embeds", "allowed_mentions"} within Discord's bounds.
json::object discord_message(const json::object& payload);
// A comment where the URL ends in `/comments`, else a `repository_dispatch`.
json::object github_message(const json::object& payload, std::string_view url);

} // namespace hive::colony::webhooks
