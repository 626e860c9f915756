#include "colony/stored.hpp"
#include "colony/webhooks/format.hpp"

#include <fmt/format.h>

namespace hive::colony::webhooks {
namespace {

constexpr std::size_t event_type_bytes_max = 100;
constexpr std::size_t comment_bytes_max = 65'536;
constexpr std::size_t payload_bytes_max = 60'000; // of 65,535 that GitHub takes

std::string_view path_of(std::string_view url) {
    return url.substr(0, url.find_first_of("?#"));
}

// A fence longer than any inside: the text cannot get out of its block.
std::string fenced(const std::string& text) {
    std::string fence = "```";
    while (text.find(fence) != text.npos) fence += '`';
    return fmt::format("{0}json\n{1}\n{0}", fence, text);
}

json::object comment(const json::object& payload) {
    const std::string data = to_text(object_in(payload, "data"));
    std::string body = fmt::format(
        "**{}** {}\n\n{}\n\n<sub>{}</sub>", text_in(payload, "type"),
        shortened(without_mentions(headline(payload)), 2000),
        fenced(shortened(data, comment_bytes_max / 2)), text_in(payload, "timestamp"));
    return {{"body", std::move(body)}};
}

// At most ten members in `client_payload`, and not more than it takes in all.
json::object dispatch(const json::object& payload) {
    json::object client{
        {"type", payload.at("type")},
        {"timestamp", payload.at("timestamp")},
        {"data", payload.at("data")}};
    if (to_text(client).size() > payload_bytes_max) {
        const json::object data = object_in(payload, "data");
        client["data"] = json::object{
            {"entityType", text_in(data, "entityType")},
            {"entityId", text_in(data, "entityId")},
            {"omitted", "too large for GitHub"}};
    }
    const std::string type = "hive." + text_in(payload, "type");
    return {
        {"event_type", shortened(type, event_type_bytes_max)},
        {"client_payload", std::move(client)}};
}

} // namespace

json::object github_message(const json::object& payload, std::string_view url) {
    return path_of(url).ends_with("/comments") ? comment(payload) : dispatch(payload);
}

} // namespace hive::colony::webhooks
