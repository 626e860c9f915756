#include "colony/stored.hpp"
#include "colony/webhooks/format.hpp"

#include <fmt/format.h>

namespace hive::colony::webhooks {
namespace {

// Discord's own bounds, counted in bytes, which is never more than it allows.
constexpr std::size_t content_bytes_max = 2000;
constexpr std::size_t title_bytes_max = 256;
constexpr std::size_t description_bytes_max = 4000; // of 6000 for all of an embed

std::string plain(std::string_view text, std::size_t bytes) {
    return shortened(without_mentions(text), bytes);
}

json::object field(std::string_view name, const std::string& value) {
    return {{"name", name}, {"value", plain(value, 200)}, {"inline", true}};
}

} // namespace

json::object discord_message(const json::object& payload) {
    const json::object data = object_in(payload, "data");
    json::array fields;
    for (const auto* name : {"ref", "state", "priority", "actor", "channel", "bee"}) {
        const auto* value = data.if_contains(name);
        if (value == nullptr || value->is_object() || value->is_array()) continue;
        const std::string text =
            value->is_string() ? std::string{value->as_string()} : to_text(*value);
        if (!text.empty()) fields.push_back(field(name, text));
    }
    const std::string line = headline(payload);
    json::object embed{
        {"title", plain(text_in(payload, "type"), title_bytes_max)},
        {"description", plain(line, description_bytes_max)},
        {"timestamp", text_in(payload, "timestamp")},
        {"fields", std::move(fields)}};
    return {
        {"content", plain(line, content_bytes_max)},
        {"embeds", json::array{std::move(embed)}},
        // Whatever still looks like a mention calls nobody.
        {"allowed_mentions", json::object{{"parse", json::array{}}}}};
}

} // namespace hive::colony::webhooks
