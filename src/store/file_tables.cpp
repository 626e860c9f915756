#include "store/file_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

using colony::files::Family;
using colony::files::FileRow;

Value or_nothing(const std::string& text) {
    return text.empty() ? Value{Null{}} : Value{std::string_view{text}};
}

Family family_named(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(Family::document); ++i) {
        if (name_of(static_cast<Family>(i)) == name) return static_cast<Family>(i);
    }
    return Family::document;
}

// Of `b`, a row with a digest: a file has it, or had it last and its task has no other.
constexpr std::string_view in_use =
    "EXISTS (SELECT 1 FROM colony_file f WHERE f.digest = b.digest AND f.hive = b.hive AND "
    "(f.gone = 0 OR (f.family = 'task' AND f.entity IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
    "colony_file g WHERE g.entity = f.entity AND g.hive = f.hive AND g.gone = 0))))";

} // namespace

Result<std::vector<FileRow>> FileTable::select(std::string_view rest, Params params) const {
    std::vector<FileRow> rows;
    Status good{};
    const auto read = session_->query(
        fmt::format(
            "SELECT path, digest, changed, synced, family, entity, revision, stem, called, gone, "
            "body FROM colony_file WHERE {}",
            rest),
        params, [&](const Row& row) {
            auto file = colony::files::from_stored(row.text(10));
            if (!file) {
                good = fail(file.error());
                return;
            }
            file->path = row.text(0);
            file->digest = row.text(1);
            file->changed = time_at(row, 2);
            file->synced = time_at(row, 3);
            file->family = family_named(row.text(4));
            file->entity = row.text_if(5).value_or("");
            file->revision = static_cast<std::uint64_t>(row.integer(6));
            file->stem = row.text(7);
            file->called = row.text_if(8).value_or("");
            file->gone = row.integer(9) != 0;
            rows.push_back(*std::move(file));
        });
    if (!read) return fail(read.error());
    if (!good) return fail(good.error());
    return rows;
}

Result<std::optional<FileRow>> FileTable::find(std::string_view path) const {
    return first_of(select("hive = $1 AND path = $2", {hive_.text(), path}));
}

Status FileTable::put(const FileRow& row) {
    const std::string body = to_stored(row);
    return nothing_but(session_->execute(
        "INSERT INTO colony_file (hive, path, digest, changed, synced, family, entity, revision, "
        "stem, called, gone, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) "
        "ON CONFLICT (hive, path) DO UPDATE SET digest = $3, changed = $4, synced = $5, "
        "family = $6, entity = $7, revision = $8, stem = $9, called = $10, gone = $11, body = $12",
        {hive_.text(), row.path, row.digest, as_column(row.changed), as_column(row.synced),
         name_of(row.family), or_nothing(row.entity), as_column(row.revision), row.stem,
         or_nothing(row.called), std::int64_t{row.gone ? 1 : 0}, body}));
}

Result<std::vector<FileRow>> FileTable::of_entity(std::string_view entity) const {
    return select("entity = $2 AND hive = $1 ORDER BY gone, path", {hive_.text(), entity});
}

Result<std::vector<FileRow>> FileTable::called(std::string_view name) const {
    // Two indexes, not one condition: SQLite would look at every row.
    auto rows = select("stem = $2 AND hive = $1 ORDER BY gone, path", {hive_.text(), name});
    if (!rows) return rows;
    auto more = select(
        "called = $2 AND hive = $1 AND stem <> $2 ORDER BY gone, path", {hive_.text(), name});
    if (!more) return more;
    rows->insert(rows->end(), more->begin(), more->end());
    return rows;
}

Result<std::vector<FileRow>> FileTable::list(std::string_view after, std::size_t limit) const {
    return select(
        "hive = $1 AND path > $2 ORDER BY path LIMIT $3",
        {hive_.text(), after, static_cast<std::int64_t>(limit)});
}

Status FileTable::keep(std::string_view digest, std::string_view bytes) {
    return nothing_but(session_->execute(
        "INSERT INTO colony_file_bytes (hive, digest, bytes) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive, digest) DO NOTHING",
        {hive_.text(), digest, bytes_of(bytes)}));
}

Result<std::optional<std::string>> FileTable::bytes(std::string_view digest) const {
    std::optional<std::string> found;
    const auto read = session_->query(
        "SELECT bytes FROM colony_file_bytes WHERE hive = $1 AND digest = $2",
        {hive_.text(), digest}, [&](const Row& row) { found = text_of(row.blob(0)); });
    if (!read) return fail(read.error());
    return found;
}

Result<std::uint64_t> FileTable::sweep(const Retention& retention) {
    const auto limit = static_cast<std::int64_t>(retention.limit);
    const auto used_again = session_->execute(
        fmt::format("DELETE FROM colony_file_unused AS b WHERE b.hive = $1 AND {}", in_use),
        {hive_.text()});
    if (!used_again) return fail(used_again.error());
    const auto unused = session_->execute(
        fmt::format(
            "INSERT INTO colony_file_unused (hive, digest, since) "
            "SELECT b.hive, b.digest, CAST($2 AS BIGINT) FROM colony_file_bytes b WHERE b.hive = "
            "$1 AND NOT {} "
            "ON CONFLICT (hive, digest) DO NOTHING",
            in_use),
        {hive_.text(), as_column(retention.now)});
    if (!unused) return fail(unused.error());
    std::vector<std::string> old;
    const auto looked = session_->query(
        "SELECT digest FROM colony_file_unused WHERE hive = $1 AND since <= $2 "
        "ORDER BY digest LIMIT $3",
        {hive_.text(), as_column(retention.now - retention.keep), limit},
        [&](const Row& row) { old.emplace_back(row.text(0)); });
    if (!looked) return fail(looked.error());
    for (const auto& digest : old) {
        for (const auto* table : {"colony_file_bytes", "colony_file_unused"}) {
            auto gone = session_->execute(
                fmt::format("DELETE FROM {} WHERE hive = $1 AND digest = $2", table),
                {hive_.text(), digest});
            if (!gone) return fail(gone.error());
        }
    }
    return old.size();
}

} // namespace hive::store
