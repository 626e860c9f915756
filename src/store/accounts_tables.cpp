#include "store/accounts_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace hive::store {
namespace {

using accounts::ApiKey;
using accounts::KeyKind;

constexpr std::size_t page_max = 1000;

[[noreturn]] void refuse(std::string_view what, std::string_view text) {
    throw BadColumn{fmt::format("'{}' is not {}", text, what)};
}

KeyKind kind_of(std::string_view text) {
    for (const KeyKind kind : {KeyKind::bee, KeyKind::human, KeyKind::service}) {
        if (name_of(kind) == text) return kind;
    }
    refuse("a kind of key", text);
}

accounts::Role role_of(std::string_view text) {
    const auto role = accounts::parse_role(text);
    if (!role) refuse("a role", text);
    return *role;
}

// Scopes stand in one column, with blanks between them.
accounts::Scopes scopes_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        words.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    const auto scopes = accounts::Scopes::parse(words);
    if (!scopes) refuse("a list of scopes", text);
    return *scopes;
}

constexpr std::string_view key_columns = "id, owner, kind, role, scopes, shown, hash, created, "
                                         "expires, revoked, last_used, rotated_to";

ApiKey key_of(const Row& row) {
    return ApiKey{
        .id = std::string{row.text(0)},
        .owner = std::string{row.text(1)},
        .kind = kind_of(row.text(2)),
        .role = role_of(row.text(3)),
        .scopes = scopes_of(row.text(4)),
        .shown = std::string{row.text(5)},
        .hash = bytes_at<digest_size>(row, 6),
        .created = time_at(row, 7),
        .expires = time_if(row, 8),
        .revoked = time_if(row, 9),
        .last_used = time_if(row, 10),
        .rotated_to = std::string{row.text_if(11).value_or("")},
    };
}

Value or_none(const std::string& text) {
    return text.empty() ? Value{Null{}} : Value{std::string_view{text}};
}

Result<std::optional<ApiKey>>
find_key(Session& session, std::string_view condition, Params params) {
    std::optional<ApiKey> key;
    const auto read = session.query(
        fmt::format("SELECT {} FROM accounts_key WHERE {}", key_columns, condition), params,
        [&](const Row& row) { key = key_of(row); });
    if (!read) return fail(read.error());
    return key;
}

} // namespace

Status KeyTable::insert(const ApiKey& key) {
    const std::string scopes = fmt::format("{}", fmt::join(key.scopes.texts(), " "));
    const auto added = session_->execute(
        "INSERT INTO accounts_key (hive, id, owner, kind, role, scopes, shown, hash, created, "
        "expires, revoked, last_used, rotated_to) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING",
        {hive_.text(), key.id, key.owner, name_of(key.kind), name_of(key.role), scopes, key.shown,
         as_column(key.hash), as_column(key.created), as_column(key.expires),
         as_column(key.revoked), as_column(key.last_used), or_none(key.rotated_to)});
    if (!added) return fail(added.error());
    if (*added == 1) return {};
    return fail(Errc::conflict, fmt::format("there is a key '{}' or one with its hash", key.id));
}

Result<std::optional<ApiKey>> KeyTable::find(std::string_view id) const {
    return find_key(*session_, "hive = $1 AND id = $2", {hive_.text(), id});
}

Result<std::optional<ApiKey>> KeyTable::find_by_hash(const Digest& hash) const {
    return find_key(*session_, "hive = $1 AND hash = $2", {hive_.text(), as_column(hash)});
}

Result<std::vector<ApiKey>> KeyTable::list(const accounts::KeyQuery& query) const {
    std::vector<Value> values{
        hive_.text(), query.after, static_cast<std::int64_t>(std::min(query.limit, page_max))};
    if (query.owner) values.emplace_back(*query.owner);
    std::vector<ApiKey> keys;
    const auto read = session_->query(
        fmt::format(
            "SELECT {} FROM accounts_key WHERE hive = $1 AND id > $2{} ORDER BY id LIMIT $3",
            key_columns, query.owner ? " AND owner = $4" : ""),
        values, [&](const Row& row) { keys.push_back(key_of(row)); });
    if (!read) return fail(read.error());
    return keys;
}

Status KeyTable::update(const ApiKey& key) {
    const auto changed = session_->execute(
        "UPDATE accounts_key SET expires = $3, revoked = $4, rotated_to = $5 "
        "WHERE hive = $1 AND id = $2",
        {hive_.text(), key.id, as_column(key.expires), as_column(key.revoked),
         or_none(key.rotated_to)});
    if (!changed) return fail(changed.error());
    if (*changed == 1) return {};
    return fail(Errc::not_found, fmt::format("there is no key '{}'", key.id));
}

Status KeyTable::used(std::string_view id, Timestamp when) {
    return nothing_but(session_->execute(
        "UPDATE accounts_key SET last_used = $3 "
        "WHERE hive = $1 AND id = $2 AND (last_used IS NULL OR last_used < $3)",
        {hive_.text(), id, as_column(when)}));
}

Status SessionTable::insert(const accounts::Session& session) {
    return nothing_but(session_->execute(
        "INSERT INTO accounts_session (hive, hash, person, role, created, last_seen) "
        "VALUES ($1, $2, $3, $4, $5, $6)",
        {hive_.text(), as_column(session.token_hash), session.person, name_of(session.role),
         as_column(session.created), as_column(session.last_seen)}));
}

Result<std::optional<accounts::Session>> SessionTable::find(const Digest& token_hash) const {
    std::optional<accounts::Session> found;
    const auto read = session_->query(
        "SELECT person, role, created, last_seen FROM accounts_session "
        "WHERE hive = $1 AND hash = $2",
        {hive_.text(), as_column(token_hash)}, [&](const Row& row) {
            found = accounts::Session{
                .token_hash = token_hash,
                .person = std::string{row.text(0)},
                .role = role_of(row.text(1)),
                .created = time_at(row, 2),
                .last_seen = time_at(row, 3)};
        });
    if (!read) return fail(read.error());
    return found;
}

Result<std::vector<accounts::Session>>
SessionTable::list(const accounts::SessionQuery& query) const {
    std::vector<accounts::Session> found;
    const auto read = session_->query(
        "SELECT hash, person, role, created, last_seen FROM accounts_session "
        "WHERE hive = $1 AND (created < $2 OR (created = $2 AND hash > $3)) "
        "ORDER BY created DESC, hash LIMIT $4",
        {hive_.text(), as_column(query.before), as_column(query.after),
         static_cast<std::int64_t>(std::min(query.limit, page_max))},
        [&](const Row& row) {
            found.push_back(
                {.token_hash = bytes_at<digest_size>(row, 0),
                 .person = std::string{row.text(1)},
                 .role = role_of(row.text(2)),
                 .created = time_at(row, 3),
                 .last_seen = time_at(row, 4)});
        });
    if (!read) return fail(read.error());
    return found;
}

Status SessionTable::seen(const Digest& token_hash, Timestamp when) {
    return nothing_but(session_->execute(
        "UPDATE accounts_session SET last_seen = $3 "
        "WHERE hive = $1 AND hash = $2 AND last_seen < $3",
        {hive_.text(), as_column(token_hash), as_column(when)}));
}

Status SessionTable::remove(const Digest& token_hash) {
    return nothing_but(session_->execute(
        "DELETE FROM accounts_session WHERE hive = $1 AND hash = $2",
        {hive_.text(), as_column(token_hash)}));
}

Result<std::int64_t> SessionTable::remove_all_of(std::string_view person) {
    return session_->execute(
        "DELETE FROM accounts_session WHERE hive = $1 AND person = $2", {hive_.text(), person});
}

Result<std::int64_t> SessionTable::purge(const accounts::SessionPolicy& policy, Timestamp now) {
    return session_->execute(
        "DELETE FROM accounts_session WHERE hive = $1 AND (created <= $2 OR last_seen <= $3)",
        {hive_.text(), as_column(now - policy.longest), as_column(now - policy.idle)});
}

} // namespace hive::store
