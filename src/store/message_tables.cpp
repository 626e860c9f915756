#include "store/message_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"
#include "store/rows.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

using colony::channels::ChannelSummary;
using colony::channels::Message;
using colony::channels::MessageQuery;
using colony::channels::Spoken;

Value due_of(const Message& message) {
    const bool open = message.ack_by && !message.overdue && !missing_acks(message).empty();
    return open ? as_column(message.ack_by) : Value{Null{}};
}

} // namespace

Result<std::vector<Message>> MessageTable::select(std::string_view rest, Params params) const {
    return read_bodies(
        *session_, fmt::format("SELECT body FROM colony_message WHERE {}", rest), params,
        colony::channels::from_stored);
}

Status MessageTable::insert(const Message& message) {
    const std::string body = to_text(to_json(message));
    const Value thread =
        message.thread.empty() ? Value{Null{}} : Value{std::string_view{message.thread}};
    auto done = session_->execute(
        "INSERT INTO colony_message (hive, id, channel, thread, ack_due, body) "
        "VALUES ($1, $2, $3, $4, $5, $6)",
        {hive_.text(), message.id, message.channel, thread, due_of(message), body});
    if (!done) return fail(done.error());
    Rows tags{"colony_message_tag (hive, tag, message)"};
    for (const auto& tag : message.tags) tags.add({hive_.text(), tag, message.id});
    if (auto ok = tags.insert(*session_); !ok) return ok;
    return nothing_but(session_->execute(
        "INSERT INTO colony_channel (hive, name, messages, last, changed) "
        "VALUES ($1, $2, 1, $3, $4) ON CONFLICT (hive, name) DO UPDATE SET "
        "messages = colony_channel.messages + 1, last = $3, changed = $4",
        {hive_.text(), message.channel, message.id, as_column(message.created)}));
}

Status MessageTable::update(const Message& message) {
    const std::string body = to_text(to_json(message));
    return nothing_but(session_->execute(
        "UPDATE colony_message SET ack_due = $3, body = $4 WHERE hive = $1 AND id = $2",
        {hive_.text(), message.id, due_of(message), body}));
}

Result<std::optional<Message>> MessageTable::find(std::string_view id) const {
    return first_of(select("hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::string> MessageTable::newest() const {
    std::string id;
    const auto read = session_->query(
        "SELECT id FROM colony_message WHERE hive = $1 ORDER BY id DESC LIMIT 1", {hive_.text()},
        [&](const Row& row) { id = row.text(0); });
    if (!read) return fail(read.error());
    return id;
}

Result<std::vector<Message>> MessageTable::list(const MessageQuery& query) const {
    Filter filter{hive_.text()};
    if (!query.channel.empty()) filter.add("channel = {}", query.channel);
    if (!query.thread.empty()) {
        const std::string first = filter.parameter(query.thread);
        filter.add("(thread = {} OR id = " + first + ")", query.thread);
    }
    if (!query.tag.empty()) {
        filter.add(
            "EXISTS (SELECT 1 FROM colony_message_tag t WHERE t.hive = colony_message.hive AND "
            "t.tag = {} AND t.message = colony_message.id)",
            query.tag);
    }
    if (!query.after.empty()) filter.add("id > {}", query.after);
    if (!query.before.empty()) filter.add("id < {}", query.before);
    const bool oldest_first = !query.after.empty() || !query.thread.empty();
    const std::string limit = filter.parameter(static_cast<std::int64_t>(query.limit));
    return select(
        fmt::format(
            "{} ORDER BY id {} LIMIT {}", filter.where(), oldest_first ? "ASC" : "DESC", limit),
        filter.params());
}

Result<std::vector<ChannelSummary>>
MessageTable::channels(std::string_view after, std::size_t limit) const {
    std::vector<ChannelSummary> found;
    const auto read = session_->query(
        "SELECT name, messages, last, changed FROM colony_channel "
        "WHERE hive = $1 AND name > $2 ORDER BY name LIMIT $3",
        {hive_.text(), after, static_cast<std::int64_t>(limit)}, [&](const Row& row) {
            found.push_back(
                {.name = std::string{row.text(0)},
                 .messages = static_cast<std::uint64_t>(row.integer(1)),
                 .last = std::string{row.text(2)},
                 .changed = time_at(row, 3)});
        });
    if (!read) return fail(read.error());
    return found;
}

Result<std::vector<Message>> MessageTable::overdue(Timestamp now, std::size_t limit) const {
    return select(
        "ack_due IS NOT NULL AND ack_due <= $2 AND hive = $1 ORDER BY ack_due LIMIT $3",
        {hive_.text(), as_column(now), static_cast<std::int64_t>(limit)});
}

Result<std::string> MessageTable::cursor(std::string_view reader, std::string_view channel) const {
    std::string message;
    const auto read = session_->query(
        "SELECT message FROM colony_cursor WHERE hive = $1 AND reader = $2 AND channel = $3",
        {hive_.text(), reader, channel}, [&](const Row& row) { message = row.text(0); });
    if (!read) return fail(read.error());
    return message;
}

Status MessageTable::move_cursor(
    std::string_view reader, std::string_view channel, std::string_view message) {
    return nothing_but(session_->execute(
        "INSERT INTO colony_cursor (hive, reader, channel, message) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (hive, reader, channel) DO UPDATE SET message = $4",
        {hive_.text(), reader, channel, message}));
}

Result<std::uint64_t>
MessageTable::unread(std::string_view reader, std::string_view channel) const {
    const auto seen = cursor(reader, channel);
    if (!seen) return fail(seen.error());
    std::int64_t count = 0;
    // Nobody needs to know it exactly beyond this.
    const auto read = session_->query(
        "SELECT COUNT(*) FROM (SELECT 1 FROM colony_message WHERE channel = $2 AND id > $3 AND "
        "hive = $1 LIMIT 1000) AS newer",
        {hive_.text(), channel, *seen}, [&](const Row& row) { count = row.integer(0); });
    if (!read) return fail(read.error());
    return static_cast<std::uint64_t>(count);
}

Result<Spoken> MessageTable::spoken(std::string_view bee) const {
    auto found = first_of(read_bodies(
        *session_, "SELECT body FROM colony_spoken WHERE hive = $1 AND bee = $2",
        {hive_.text(), bee}, colony::channels::spoken_from_stored));
    if (!found) return fail(found.error());
    return found->value_or(Spoken{});
}

Status MessageTable::keep_spoken(std::string_view bee, const Spoken& spoken) {
    const std::string body = to_stored(spoken);
    return nothing_but(session_->execute(
        "INSERT INTO colony_spoken (hive, bee, body) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive, bee) DO UPDATE SET body = $3",
        {hive_.text(), bee, body}));
}

} // namespace hive::store
