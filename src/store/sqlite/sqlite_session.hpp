#pragma once

#include "store/session.hpp"
#include "store/sqlite/handle.hpp"
#include "store/statement_cache.hpp"

#include <optional>
#include <vector>

namespace hive::store::sqlite {

// Statements on one open database.
class SqliteSession final : public Session {
public:
    SqliteSession() = default;
    SqliteSession(const SqliteSession&) = delete;
    SqliteSession& operator=(const SqliteSession&) = delete;

    void attach(sqlite3* handle); // null: closed
    void limit(TimePoint deadline) { deadline_ = deadline; }
    void unlimit() { deadline_.reset(); }

    Result<std::int64_t> execute(std::string_view sql, Params params) override;
    Status query(std::string_view sql, Params params, const RowHandler& each) override;

private:
    Result<sqlite3_stmt*> bound(std::string_view sql, Params params);
    Result<Statement*> prepared(std::string_view sql);
    bool overdue() const;

    sqlite3* handle_ = nullptr;
    StatementCache<Statement> statements_;
    std::optional<TimePoint> deadline_;
    std::vector<Value> columns_;
};

} // namespace hive::store::sqlite
