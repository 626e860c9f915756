#include "store/dialect.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace hive::store {
namespace {

constexpr Dialect sqlite{
    .int64 = "INTEGER",
    .real = "REAL",
    .text = "TEXT",
    .blob = "BLOB",
    .table_suffix = " STRICT",
    .keyed_suffix = " STRICT, WITHOUT ROWID",
    .columns = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
               "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
               "ORDER BY t.name, c.cid",
    .references = "SELECT t.name, k.\"table\" FROM sqlite_schema t, "
                  "pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY 1, 2",
    .defer_keys = "PRAGMA defer_foreign_keys = ON",
    .check_keys = "PRAGMA defer_foreign_keys = OFF",
};

constexpr Dialect postgres{
    .int64 = "BIGINT",
    .real = "DOUBLE PRECISION",
    // Compared byte by byte, as SQLite does: another order of text would page differently.
    .text = "TEXT COLLATE \"C\"",
    .blob = "BYTEA",
    .table_suffix = "",
    .keyed_suffix = "",
    .columns = "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c "
               "JOIN information_schema.tables t USING (table_schema, table_name) "
               "WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' "
               "ORDER BY c.table_name COLLATE \"C\", c.ordinal_position",
    .references = "SELECT c.relname::text, p.relname::text FROM pg_constraint k "
                  "JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid "
                  "WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace "
                  "ORDER BY 1, 2",
    .defer_keys = "SET CONSTRAINTS ALL DEFERRED",
    .check_keys = "SET CONSTRAINTS ALL IMMEDIATE",
};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at)) {
        text.replace(at, what.size(), with);
        at += with.size();
    }
}

std::vector<std::string> sqlite_guard(std::string_view table, std::string_view unless) {
    const std::string condition = unless.empty() ? "" : fmt::format("WHEN NOT ({}) ", unless);
    return {
        fmt::format(
            "CREATE TRIGGER {0}_no_update BEFORE UPDATE ON {0} {1}"
            "BEGIN SELECT RAISE(ABORT, '{0} is append-only'); END",
            table, condition),
        fmt::format(
            "CREATE TRIGGER {0}_no_delete BEFORE DELETE ON {0} "
            "BEGIN SELECT RAISE(ABORT, '{0} is append-only'); END",
            table)};
}

std::vector<std::string> postgres_guard(std::string_view table, std::string_view unless) {
    const std::string condition = unless.empty() ? "" : fmt::format("WHEN (NOT ({})) ", unless);
    return {// 42501 is "insufficient privilege", which no data of ours can cause.
            fmt::format(
                "CREATE OR REPLACE FUNCTION {0}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$BEGIN RAISE EXCEPTION '{0} is append-only' USING ERRCODE = '42501'; END$$",
                table),
            fmt::format(
                "CREATE TRIGGER {0}_no_update BEFORE UPDATE ON {0} FOR EACH ROW {1}"
                "EXECUTE FUNCTION {0}_refuse()",
                table, condition),
            fmt::format(
                "CREATE TRIGGER {0}_no_delete BEFORE DELETE ON {0} FOR EACH ROW "
                "EXECUTE FUNCTION {0}_refuse()",
                table),
            fmt::format(
                "CREATE TRIGGER {0}_no_truncate BEFORE TRUNCATE ON {0} FOR EACH STATEMENT "
                "EXECUTE FUNCTION {0}_refuse()",
                table)};
}

} // namespace

const Dialect& dialect_of(Engine engine) {
    return engine == Engine::sqlite ? sqlite : postgres;
}

std::string translate(std::string_view portable, Engine engine) {
    const Dialect& words = dialect_of(engine);
    const std::array<std::pair<std::string_view, std::string_view>, 6> marks{{
        {"{int64}", words.int64},
        {"{real}", words.real},
        {"{text}", words.text},
        {"{blob}", words.blob},
        {"{strict}", words.table_suffix},
        {"{keyed}", words.keyed_suffix},
    }};
    std::string text{portable};
    for (const auto& [mark, word] : marks) replace_all(text, mark, word);
    return text;
}

std::vector<std::string> translate_all(std::span<const std::string_view> portable, Engine engine) {
    std::vector<std::string> all;
    all.reserve(portable.size());
    for (const auto statement : portable) all.push_back(translate(statement, engine));
    return all;
}

std::vector<std::string>
append_only(Engine engine, std::string_view table, std::string_view unless) {
    return engine == Engine::sqlite ? sqlite_guard(table, unless) : postgres_guard(table, unless);
}

} // namespace hive::store
