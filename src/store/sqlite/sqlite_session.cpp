#include "store/sqlite/sqlite_session.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>
#include <simdjson.h>

namespace hive::store::sqlite {
namespace {

// Leaves the statement ready for its next use whatever happened, and lets go of borrowed values.
class [[nodiscard]] Use {
public:
    explicit Use(sqlite3_stmt* statement) : statement_{statement} {}
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }

private:
    sqlite3_stmt* statement_;
};

// PostgreSQL checks this itself; SQLite would store anything.
bool is_clean_text(std::string_view text) {
    return text.find('\0') == text.npos && simdjson::validate_utf8(text.data(), text.size());
}

int bind(sqlite3_stmt* statement, int index, const Value& value) {
    return std::visit(
        overloaded{
            [&](Null) { return sqlite3_bind_null(statement, index); },
            [&](bool truth) { return sqlite3_bind_int64(statement, index, truth ? 1 : 0); },
            [&](std::int64_t number) { return sqlite3_bind_int64(statement, index, number); },
            [&](double number) { return sqlite3_bind_double(statement, index, number); },
            [&](std::string_view text) {
                if (!is_clean_text(text)) return SQLITE_MISMATCH;
                return sqlite3_bind_text64( // a null pointer would bind null
                    statement, index, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                    SQLITE_UTF8);
            },
            [&](Blob bytes) {
                if (bytes.empty()) return sqlite3_bind_zeroblob(statement, index, 0);
                return sqlite3_bind_blob64(
                    statement, index, bytes.data(), bytes.size(), SQLITE_STATIC);
            }},
        value);
}

Value column_of(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        return std::string_view{text, size};
    }
    case SQLITE_BLOB: {
        const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        return Blob{bytes, size};
    }
    default: return Null{};
    }
}

} // namespace

void SqliteSession::attach(sqlite3* handle) {
    constexpr int steps_between_looks = 4000; // of SQLite's machine: some tens of microseconds
    statements_.clear();
    handle_ = handle;
    if (handle_ == nullptr) return;
    sqlite3_progress_handler(
        handle_, steps_between_looks,
        [](void* self) { return static_cast<SqliteSession*>(self)->overdue() ? 1 : 0; }, this);
}

bool SqliteSession::overdue() const {
    return deadline_ && SystemClock{}.now() >= *deadline_;
}

Result<Statement*> SqliteSession::prepared(std::string_view sql) {
    if (Statement* known = statements_.find(sql)) return known;
    auto statement = prepare(handle_, sql);
    if (!statement) return fail(statement.error());
    if (statements_.full()) statements_.clear();
    return &statements_.add(sql, std::move(*statement));
}

Result<sqlite3_stmt*> SqliteSession::bound(std::string_view sql, Params params) {
    if (overdue()) return fail(Errc::timeout, "the unit ran out of time; nothing was applied");
    const auto statement = prepared(sql);
    if (!statement) return fail(statement.error());
    if ((*statement)->parameters != params.size()) {
        return fail(
            Errc::invalid, fmt::format(
                               "{} parameters were given where {} are expected: {}", params.size(),
                               (*statement)->parameters, sql));
    }
    sqlite3_stmt* raw = (*statement)->handle.get();
    const auto& numbers = (*statement)->numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const int code = bind(raw, static_cast<int>(i) + 1, params[numbers[i] - 1]);
        if (code == SQLITE_OK) continue;
        const Use reset{raw};
        if (code == SQLITE_MISMATCH) {
            return fail(
                Errc::invalid,
                fmt::format("parameter ${} is not UTF-8 text without NUL: {}", numbers[i], sql));
        }
        return fail(error_of(handle_, code, sql));
    }
    return raw;
}

Result<std::int64_t> SqliteSession::execute(std::string_view sql, Params params) {
    const auto statement = bound(sql, params);
    if (!statement) return fail(statement.error());
    const Use reset{*statement};
    const auto before = sqlite3_total_changes64(handle_);
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(*statement);
    if (code != SQLITE_DONE) return fail(error_of(handle_, code, sql));
    // Other statements leave the last number of changes as it was.
    if (sqlite3_total_changes64(handle_) == before) return std::int64_t{0};
    return std::int64_t{sqlite3_changes64(handle_)};
}

Status SqliteSession::query(std::string_view sql, Params params, const RowHandler& each) {
    const auto statement = bound(sql, params);
    if (!statement) return fail(statement.error());
    const Use reset{*statement};
    int code = sqlite3_step(*statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(*statement)) {
        columns_.clear();
        for (int i = 0; i < sqlite3_column_count(*statement); ++i) {
            columns_.push_back(column_of(*statement, i));
        }
        each(Row{columns_});
    }
    if (code != SQLITE_DONE) return fail(error_of(handle_, code, sql));
    return {};
}

} // namespace hive::store::sqlite
