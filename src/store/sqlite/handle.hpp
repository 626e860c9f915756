#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store::sqlite {

struct CloseHandle {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};
using Handle = std::unique_ptr<sqlite3, CloseHandle>;

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

// A prepared statement and which of its parameters each $n is.
struct Statement {
    std::unique_ptr<sqlite3_stmt, FinalizeStatement> handle;
    std::vector<std::size_t> numbers; // parameter i+1 of the statement is $numbers[i]
    std::size_t parameters = 0;       // the highest n of $n
};

struct OpenOptions {
    std::filesystem::path file;
    bool create = false;
    bool read_only = false;
    Duration lock_wait = std::chrono::seconds{5}; // for another process that is writing
};

// Opened with the settings every connection of ours has: write-ahead log, full sync, foreign keys.
Result<Handle> open_handle(const OpenOptions& options);

Result<Statement> prepare(sqlite3* handle, std::string_view sql);

// For statements without parameters and rows.
Status run(sqlite3* handle, const char* sql);

// What an extended result code means to a caller, with SQLite's own words and what to do.
Error error_of(sqlite3* handle, int code, std::string_view sql);

} // namespace hive::store::sqlite
