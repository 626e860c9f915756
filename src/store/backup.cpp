#include "store/backup.hpp"

#include "store/backup_file.hpp"
#include "store/migration.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <ranges>

namespace hive::store {
namespace {

// A large store on a slow disk takes its time; a stuck one must still end.
constexpr Duration backup_within = std::chrono::hours{6};

std::string list(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

Status write_table(Session& session, const Table& table, BackupWriter& out) {
    out.table(table);
    const auto read = session.query(
        fmt::format("SELECT {} FROM {}", list(table.columns), table.name), {},
        [&](const Row& row) { out.row(row); });
    return read ? out.status() : read;
}

Result<BackupReport> write_all(Session& session, Engine engine, const std::filesystem::path& file) {
    const auto schema = schema_version(session, engine);
    if (!schema) return fail(schema.error());
    if (*schema == 0) {
        return fail(Errc::conflict, "the store is empty: it has no schema yet, nothing to back up");
    }
    const auto tables = our_tables(session, engine);
    if (!tables) return fail(tables.error());
    auto out = BackupWriter::create(file);
    if (!out) return fail(out.error());
    out->header(*schema);
    // Referred tables first, so that rows find what they refer to when they are restored.
    for (const auto& table : std::views::reverse(*tables)) {
        if (auto ok = write_table(session, table, *out); !ok) return fail(ok.error());
    }
    if (auto ok = out->finish(); !ok) return fail(ok.error());
    return BackupReport{*schema, static_cast<std::int64_t>(tables->size()), out->rows()};
}

} // namespace

Result<BackupReport> back_up(Database& database, const std::filesystem::path& file) {
    return read_for(
        database, [&](Session& session) { return write_all(session, database.engine(), file); },
        backup_within);
}

} // namespace hive::store
