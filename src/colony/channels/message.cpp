#include "colony/channels/message.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::colony::channels {
namespace {

bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_name(std::string_view text) {
    const auto good = [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    };
    return !text.empty() && text.size() <= 100 && is_letter(text.front()) &&
           std::ranges::all_of(text, good);
}
bool is_subject(std::string_view text) {
    const auto visible = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > 0x20 && byte != 0x7f && c != '/';
    };
    return !text.empty() && text.size() <= 200 && std::ranges::all_of(text, visible);
}

Message message_in(const json::object& in) {
    Message message{
        .id = text_in(in, "id"),
        .channel = text_in(in, "channel"),
        .sender = text_in(in, "sender"),
        .content = text_in(in, "content"),
        .type = text_in(in, "type"),
        .reply_to = text_in(in, "replyTo"),
        .thread = text_in(in, "thread"),
        .tags = words_in(in, "tags"),
        .metadata = object_in(in, "metadata"),
        .created = time_at(in, "createdAt"),
        .ack_from = words_in(in, "ackFrom"),
        .ack_by = time_in(in, "ackBy"),
        .overdue = in.contains("overdue")};
    if (const auto* acks = in.if_contains("acks")) {
        for (const auto& ack : acks->as_array()) {
            message.acks.push_back(
                {text_in(ack.as_object(), "bee"), time_at(ack.as_object(), "at")});
        }
    }
    return message;
}

} // namespace

Words missing_acks(const Message& message) {
    Words missing;
    for (const auto& bee : message.ack_from) {
        const bool there = std::ranges::find(message.acks, bee, &Ack::bee) != message.acks.end();
        if (!there) missing.push_back(bee);
    }
    return missing;
}

Result<Channel> parse_channel(std::string_view text) {
    const auto colon = text.find(':');
    const auto head = text.substr(0, colon);
    if (colon != text.npos && (head == "task" || head == "bee") &&
        is_subject(text.substr(colon + 1))) {
        return Channel{
            .kind = head == "task" ? Channel::Kind::task : Channel::Kind::bee,
            .name = std::string{text},
            .subject = std::string{text.substr(colon + 1)}};
    }
    if (is_name(text)) return Channel{.name = std::string{text}, .subject = {}};
    return fail(
        Errc::invalid, fmt::format(
                           "'{}' is not a channel: general, task:<ref>, bee:<id>, or a name of "
                           "letters, digits, '_', '-' and '.'",
                           text.substr(0, 100)));
}

json::object to_json(const Message& message) {
    json::object out{{"id", message.id},         {"channel", message.channel},
                     {"sender", message.sender}, {"content", message.content},
                     {"type", message.type},     {"createdAt", format_timestamp(message.created)}};
    put(out, "replyTo", message.reply_to);
    put(out, "thread", message.thread);
    put(out, "tags", message.tags);
    put(out, "metadata", message.metadata);
    if (!message.ack_from.empty()) {
        put(out, "ackFrom", message.ack_from);
        json::array acks;
        for (const Ack& ack : message.acks) {
            acks.push_back({{"bee", ack.bee}, {"at", format_timestamp(ack.at)}});
        }
        out["acks"] = std::move(acks);
    }
    put(out, "ackBy", message.ack_by);
    if (message.overdue) out["overdue"] = true;
    return out;
}

Result<Message> from_stored(std::string_view text) {
    return read_stored("message", text, message_in);
}

} // namespace hive::colony::channels
