#include "store/sqlite/handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hive::store::sqlite {
namespace {

struct Meaning {
    Errc code;
    std::string_view advice;
};

Meaning constraint_meaning(int code) {
    switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
    case SQLITE_CONSTRAINT_FOREIGNKEY: return {Errc::conflict, ""};
    case SQLITE_CONSTRAINT_TRIGGER: return {Errc::denied, ""};
    default: return {Errc::invalid, ""};
    }
}

Meaning meaning_of(int code) {
    constexpr int primary_mask = 0xff;
    switch (code & primary_mask) {
    case SQLITE_CONSTRAINT: return constraint_meaning(code);
    case SQLITE_ERROR:
    case SQLITE_RANGE:
    case SQLITE_MISMATCH: return {Errc::invalid, ""};
    case SQLITE_TOOBIG: return {Errc::limit, ""};
    case SQLITE_INTERRUPT: return {Errc::timeout, ": it took too long and was stopped"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {Errc::unavailable, ": another program is using the database file; try again"};
    case SQLITE_FULL: return {Errc::unavailable, ": free some space on the disk and try again"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {
            Errc::denied, ": a read may not write, and a read-only directory cannot be written"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return {
            Errc::unavailable,
            ": the file is damaged; run hive store check, then restore a backup"};
    default: return {Errc::unavailable, ""};
    }
}

Status query_setting(sqlite3* handle, const char* sql, std::string_view expected) {
    sqlite3_stmt* raw = nullptr;
    const int code = sqlite3_prepare_v2(handle, sql, -1, &raw, nullptr);
    const std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement{raw};
    if (code != SQLITE_OK) return fail(error_of(handle, code, sql));
    if (const int step = sqlite3_step(raw); step != SQLITE_ROW) {
        return fail(error_of(handle, step, sql));
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
    if (text == nullptr || expected != text) {
        return fail(
            Errc::unavailable,
            fmt::format("'{}' gave '{}' instead of '{}'", sql, text ? text : "", expected));
    }
    return {};
}

Status configure(sqlite3* handle, const OpenOptions& options) {
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(
        handle,
        static_cast<int>(
            std::chrono::duration_cast<std::chrono::milliseconds>(options.lock_wait).count()));
    // A database in a file system that cannot share memory would silently lose the log's promises.
    if (auto ok = query_setting(handle, "PRAGMA journal_mode = WAL", "wal"); !ok) return ok;
    return run(
        handle, options.read_only
                    ? "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; "
                      "PRAGMA temp_store = MEMORY"
                    : "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
                      "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; "
                      "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864");
}

} // namespace

Error error_of(sqlite3* handle, int code, std::string_view sql) {
    const Meaning meaning = meaning_of(code);
    constexpr std::size_t sql_max = 120;
    return {
        meaning.code,
        fmt::format(
            "SQLite: {}{} (in: {}{})",
            handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code), meaning.advice,
            sql.substr(0, sql_max), sql.size() > sql_max ? "..." : "")};
}

Result<Handle> open_handle(const OpenOptions& options) {
    sqlite3* raw = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                      (options.create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(options.file.c_str(), &raw, flags, nullptr);
    Handle handle{raw};
    Status ok{};
    if (code != SQLITE_OK) {
        ok = fail(error_of(raw, code, "open"));
    } else if (sqlite3_db_readonly(raw, "main") == 1) {
        ok = fail(Errc::denied, "it is read-only; mend its permissions");
    } else {
        ok = configure(raw, options);
    }
    if (ok) return handle;
    return fail(
        ok.error().code,
        fmt::format("cannot open '{}': {}", options.file.string(), ok.error().detail));
}

Status run(sqlite3* handle, const char* sql) {
    const int code = sqlite3_exec(handle, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return fail(error_of(handle, code, sql));
    return {};
}

Result<Statement> prepare(sqlite3* handle, std::string_view sql) {
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v3(
        handle, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &raw, &rest);
    Statement statement{.handle{raw}, .numbers{}};
    if (code != SQLITE_OK) return fail(error_of(handle, code, sql));
    const std::string_view after{rest, static_cast<std::size_t>(sql.data() + sql.size() - rest)};
    if (raw == nullptr || after.find_first_not_of(" \t\r\n;") != after.npos) {
        return fail(Errc::invalid, fmt::format("exactly one statement is expected: {}", sql));
    }
    // SQLite takes $2 for a name and numbers parameters as they come.
    for (int i = 1; i <= sqlite3_bind_parameter_count(raw); ++i) {
        const char* name = sqlite3_bind_parameter_name(raw, i);
        const std::string_view text = name != nullptr ? name : "";
        std::size_t number = 0;
        const auto* end = text.data() + text.size();
        if (text.size() < 2 || text[0] != '$' ||
            std::from_chars(text.data() + 1, end, number).ptr != end || number == 0) {
            return fail(Errc::invalid, fmt::format("parameters are called $1, $2...: {}", sql));
        }
        statement.numbers.push_back(number);
        statement.parameters = std::max(statement.parameters, number);
    }
    return statement;
}

} // namespace hive::store::sqlite
