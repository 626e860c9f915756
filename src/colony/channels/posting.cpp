#include "colony/channels/posting.hpp"

#include "colony/stored.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"
#include "kernel/uuid.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

namespace hive::colony::channels {
namespace {

void say(Desk& desk, std::string type, const Message& message, json::object more) {
    json::object told = std::move(more);
    told["channel"] = message.channel;
    told["message"] = to_json(message);
    desk.moment.say(
        {.type = std::move(type),
         .entity_type = "message",
         .entity_id = message.id,
         .told = std::move(told),
         .words = {message.channel}});
}

Outcome<Message> find_message(const Desk& desk, std::string_view id) {
    auto found = desk.book.records.find(id);
    if (!found) return refuse(found.error());
    if (!*found) {
        return refuse(
            Errc::not_found, "no-such-message", fmt::format("there is no message '{}'", id));
    }
    return **std::move(found);
}

Refusal over_quota(const Allowance& allowance, const std::string& bee) {
    std::string why = fmt::format("{} speaks too fast", bee);
    if (allowance.verdict == Admission::over_day)
        why = fmt::format("{} has said enough today", bee);
    if (allowance.verdict == Admission::cooling) {
        why = fmt::format("{} spoke too fast too often and has to be silent for a while", bee);
    }
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(allowance.again_in);
    return {
        Errc::limit,
        fmt::format("quota-{}", name_of(allowance.verdict)),
        fmt::format("{}; try again in {}", why, format_duration(seconds)),
        {{"retryAfter", seconds.count()}}};
}

Outcome<Allowance> count_message(Desk& desk) {
    const std::string& bee = desk.moment.actor().id;
    auto spoken = desk.book.speech.spoken(bee);
    if (!spoken) return refuse(spoken.error());
    const Allowance allowance = admit(*spoken, desk.quota, desk.moment.now());
    if (allowance.verdict != Admission::admitted) return refuse(over_quota(allowance, bee));
    if (auto ok = desk.book.speech.keep_spoken(bee, *spoken); !ok) return refuse(ok.error());
    return allowance;
}

// A reply stands in the channel and thread of what it replies to.
Outcome<void> thread_reply(const Desk& desk, Message& message) {
    if (message.reply_to.empty()) return {};
    auto first = find_message(desk, message.reply_to);
    if (!first) return refuse(first.error());
    if (first->channel != message.channel) {
        return refuse(
            Errc::invalid, "reply-elsewhere",
            fmt::format(
                "the message replied to is in {}, not in {}", first->channel, message.channel));
    }
    message.thread = first->thread.empty() ? first->id : first->thread;
    return {};
}

// The message is made up to its last check; what is kept of it is how to say it again.
Act act_of(const Message& message, const NewMessage& wanted) {
    json::object command{
        {"channel", message.channel}, {"content", message.content}, {"type", message.type}};
    put(command, "replyTo", message.reply_to);
    put(command, "tags", message.tags);
    put(command, "metadata", message.metadata);
    put(command, "ackFrom", message.ack_from);
    if (wanted.ack_within) command["ackWithin"] = format_duration(*wanted.ack_within);
    return {
        .what = "channel.post",
        .entity_type = "channel",
        .entity_id = message.channel,
        .facts =
            {{"channel", message.channel},
             {"tags", json::value_from(message.tags)},
             {"note", message.content}},
        .command = std::move(command)};
}

Outcome<Posted> say_again(Desk& desk, const json::object& command) {
    NewMessage wanted{
        .channel = text_in(command, "channel"),
        .content = text_in(command, "content"),
        .type = text_in(command, "type"),
        .reply_to = text_in(command, "replyTo"),
        .tags = words_in(command, "tags"),
        .metadata = object_in(command, "metadata"),
        .ack_from = words_in(command, "ackFrom")};
    if (command.contains("ackWithin")) wanted.ack_within = span_at(command, "ackWithin");
    // It was counted when it was asked for.
    return post(desk, std::move(wanted), Counting::free);
}

} // namespace

Outcome<Posted> post(Desk& desk, NewMessage wanted, Counting counting) {
    const auto channel = parse_channel(wanted.channel);
    if (!channel) return refuse(channel.error());
    if (wanted.content.empty() || wanted.content.size() > content_max) {
        return refuse(
            Errc::invalid, "bad-content",
            fmt::format("a message has 1 to {} bytes, not {}", content_max, wanted.content.size()));
    }
    const Actor& actor = desk.moment.actor();
    Posted posted;
    if (counting == Counting::counted && actor.role == accounts::Role::bee) {
        auto counted = count_message(desk);
        if (!counted) return refuse(counted.error());
        posted.allowance = *counted;
    }
    // Who asks for what came after a message misses none: those written later have greater ids,
    // also when they were asked for earlier or the clock has gone back.
    const auto newest = desk.book.records.newest();
    if (!newest) return refuse(newest.error());
    Message& message = posted.message;
    message = {
        .id = make_ordered_uuid(desk.moment.now(), desk.moment.random(), *newest),
        .channel = channel->name,
        .sender = wanted.sender.empty() ? actor.id : wanted.sender,
        .content = std::move(wanted.content),
        .type = std::move(wanted.type),
        .reply_to = std::move(wanted.reply_to),
        .tags = std::move(wanted.tags),
        .metadata = std::move(wanted.metadata),
        .created = desk.moment.now(),
        .ack_from = std::move(wanted.ack_from)};
    // What goes to one bee is for that bee to acknowledge.
    const bool to_bee = channel->kind == Channel::Kind::bee;
    if (wanted.ack_within && message.ack_from.empty() && to_bee)
        message.ack_from = {channel->subject};
    if (wanted.ack_within && message.ack_from.empty()) {
        return refuse(
            Errc::invalid, "ack-from-whom", "say in `ackFrom` who has to acknowledge the message");
    }
    if (wanted.ack_within) message.ack_by = desk.moment.now() + *wanted.ack_within;
    if (auto ok = thread_reply(desk, message); !ok) return refuse(ok.error());
    if (counting == Counting::counted) {
        const auto held = colony::is_held(desk.gate, act_of(message, wanted), desk.moment);
        if (!held) return refuse(held.error());
        if (*held) return posted;
    }
    if (auto ok = desk.book.records.insert(message); !ok) return refuse(ok.error());
    say(desk, "message.new", message, {});
    return posted;
}

Outcome<Allowance> strike(Desk& desk) {
    const std::string& bee = desk.moment.actor().id;
    auto spoken = desk.book.speech.spoken(bee);
    if (!spoken) return refuse(spoken.error());
    const Allowance allowance = admit(*spoken, desk.quota, desk.moment.now());
    if (allowance.verdict == Admission::admitted)
        return allowance; // there is room again: no strike
    if (auto ok = desk.book.speech.keep_spoken(bee, *spoken); !ok) return refuse(ok.error());
    if (allowance.tripped) {
        desk.moment.say(
            {.type = "bee.silenced",
             .entity_type = "bee",
             .entity_id = bee,
             .told = {{"bee", bee}, {"until", format_timestamp(spoken->silent_until)}}});
    }
    return allowance;
}

Outcome<Message> acknowledge(Desk& desk, std::string_view id) {
    auto message = find_message(desk, id);
    if (!message) return message;
    const std::string& bee = desk.moment.actor().id;
    if (!has(message->ack_from, bee)) {
        return refuse(
            Errc::conflict, "ack-not-asked",
            fmt::format("nobody asked {} to acknowledge this message", bee));
    }
    if (!has(missing_acks(*message), bee)) return message; // said before
    const auto held = colony::is_held(
        desk.gate,
        {.what = "channel.acknowledge",
         .entity_type = "channel",
         .entity_id = message->channel,
         .facts = {{"channel", message->channel}, {"tags", json::value_from(message->tags)}},
         .command = {{"message", message->id}}},
        desk.moment);
    if (!held) return refuse(held.error());
    if (*held) return message;
    message->acks.push_back({bee, desk.moment.now()});
    if (auto ok = desk.book.records.update(*message); !ok) return refuse(ok.error());
    say(desk, "message.acknowledged", *message, {{"bee", bee}});
    return message;
}

Outcome<std::string> read_up_to(Desk& desk, std::string_view channel, const std::string& message) {
    auto found = find_message(desk, message);
    if (!found) return refuse(found.error());
    if (found->channel != channel) {
        return refuse(
            Errc::invalid, "reply-elsewhere",
            fmt::format("that message is in {}, not in {}", found->channel, channel));
    }
    const std::string& reader = desk.moment.actor().id;
    auto now_at = desk.book.reading.cursor(reader, channel);
    if (!now_at) return refuse(now_at.error());
    if (message <= *now_at) return *now_at; // only forwards: two windows of one reader
    if (auto ok = desk.book.reading.move_cursor(reader, channel, message); !ok)
        return refuse(ok.error());
    return message;
}

Outcome<void> carry_out(Desk& desk, const Act& act) {
    try {
        if (act.what == "channel.acknowledge") {
            const auto done = acknowledge(desk, text_in(act.command, "message"));
            return done ? Outcome<void>{} : refuse(done.error());
        }
        const auto done = say_again(desk, act.command);
        return done ? Outcome<void>{} : refuse(done.error());
    } catch (const std::exception& error) {
        return refuse(unreadable("message", error.what()));
    }
}

Outcome<std::size_t> report_overdue(Desk& desk, std::size_t limit) {
    auto late = desk.book.records.overdue(desk.moment.now(), limit);
    if (!late) return refuse(late.error());
    for (Message& message : *late) {
        message.overdue = true;
        if (auto ok = desk.book.records.update(message); !ok) return refuse(ok.error());
        say(desk, "message.overdue", message,
            {{"missing", json::value_from(missing_acks(message))}});
    }
    return late->size();
}

} // namespace hive::colony::channels
