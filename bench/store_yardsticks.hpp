#pragma once

// What the store is measured against: the disk, and bare loops on both engines.

#include "store/migration.hpp"
#include "store/sqlite/open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace hive::bench {

using namespace hive::store;
using namespace std::chrono_literals;

constexpr Duration measured = 2s; // per line
inline const std::string body(300, 'x');

[[noreturn]] inline void die(const std::string& what) {
    fmt::print(stderr, "bench: {}\n", what);
    std::exit(3);
}

// Calls `once` until the time is up and prints how often a second that was.
inline double measure(const std::string& name, const std::function<void()>& once) {
    const auto start = SystemClock{}.now();
    std::int64_t count = 0;
    while (SystemClock{}.now() - start < measured) {
        once();
        ++count;
    }
    const double seconds = std::chrono::duration<double>(SystemClock{}.now() - start).count();
    const double rate = static_cast<double>(count) / seconds;
    fmt::print("{:<58}{:>12.0f} /s\n", name, rate);
    return rate;
}

inline std::atomic<std::int64_t> next_sequence{1};

// What the disk does when each commit brings that many pages, as SQLite's log writes them.
inline double sync_rate(const std::filesystem::path& directory, int pages) {
    const int file = ::open((directory / "sync").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const std::string page(4096, 'x');
    constexpr std::int64_t bytes = std::int64_t{1} << 23U;
    for (std::int64_t at = 0; at < bytes; at += 4096) {
        if (::pwrite(file, page.data(), page.size(), at) < 0) die("write");
    }
    if (::fsync(file) != 0) die("sync");
    std::int64_t at = 0;
    const std::string name =
        fmt::format("the disk: {} times 4 KiB written in place and fdatasync'ed", pages);
    const double rate = measure(name, [&] {
        for (int i = 0; i < pages; ++i) {
            if (::pwrite(file, page.data(), page.size(), at) < 0) die("write");
            at = (at + 4096) % bytes;
        }
        if (::fdatasync(file) != 0) die("sync");
    });
    ::close(file);
    return rate;
}

inline void run_or_die(sqlite3* handle, const char* sql) {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        die(sqlite3_errmsg(handle));
    }
}

// The same settings and statement without our code: what SQLite itself can do.
inline double bare_sqlite(const std::filesystem::path& directory, int rows_per_commit) {
    sqlite3* handle = nullptr;
    sqlite3_open((directory / fmt::format("bare{}.db", rows_per_commit)).c_str(), &handle);
    run_or_die(handle, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    run_or_die(
        handle, "CREATE TABLE hive_event (hive TEXT NOT NULL, sequence INTEGER NOT NULL, "
                "time INTEGER NOT NULL, topic TEXT NOT NULL, body TEXT NOT NULL, "
                "PRIMARY KEY (hive, sequence)) STRICT");
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v3(
        handle, "INSERT INTO hive_event VALUES ('main', ?1, 0, 't', ?2)", -1,
        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    std::int64_t sequence = 0;
    const double commits =
        measure(fmt::format("bare sqlite3 loop, {} rows a commit", rows_per_commit), [&] {
            run_or_die(handle, "BEGIN IMMEDIATE");
            for (int i = 0; i < rows_per_commit; ++i) {
                sqlite3_bind_int64(statement, 1, ++sequence);
                sqlite3_bind_text(
                    statement, 2, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
                if (sqlite3_step(statement) != SQLITE_DONE) die(sqlite3_errmsg(handle));
                sqlite3_reset(statement);
            }
            run_or_die(handle, "COMMIT");
        });
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return commits * rows_per_commit;
}

// The rows of an audited write and nothing else: no threads, no hashes, no checks of ours.
inline double bare_sqlite_audited(const std::filesystem::path& directory) {
    const auto home = directory / "bare-audited";
    std::filesystem::create_directory(home);
    auto made = sqlite::open({.directory = home});
    if (!made || !migrate(**made)) die("no schema");
    made->reset();
    sqlite3* handle = nullptr;
    sqlite3_open((home / "hive.db").c_str(), &handle);
    run_or_die(handle, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    run_or_die(handle, "PRAGMA foreign_keys = ON");
    run_or_die(
        handle, "INSERT INTO audit_head (hive, size, chain, peaks) VALUES ('main', 1, "
                "zeroblob(32), zeroblob(320))");
    std::vector<sqlite3_stmt*> statements;
    for (const char* sql :
         {"INSERT INTO hive_event VALUES ('main', ?1, 0, 't', ?2)",
          "UPDATE audit_head SET size = ?1, chain = randomblob(32) WHERE hive = 'main'",
          "INSERT INTO audit_log (hive, sequence, time, actor, action, entity_type, entity_id, "
          "correlation_id, request_id, details_hash, hash) VALUES ('main', ?1, ?1, 'bee:b', "
          "'task.claimed', 'task', 'TASK-1', '', 'request', randomblob(32), randomblob(32))",
          "INSERT INTO audit_details (hive, sequence, salt, body) VALUES ('main', ?1, "
          "randomblob(16), ?2)"}) {
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
        if (statement == nullptr) die(sqlite3_errmsg(handle));
        statements.push_back(statement);
    }
    std::int64_t sequence = 0;
    const double commits = measure("bare sqlite3 loop, the rows of an audited write", [&] {
        run_or_die(handle, "BEGIN IMMEDIATE");
        ++sequence;
        for (sqlite3_stmt* statement : statements) {
            sqlite3_bind_int64(statement, 1, sequence);
            if (sqlite3_bind_parameter_count(statement) > 1) {
                sqlite3_bind_text(
                    statement, 2, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
            }
            if (sqlite3_step(statement) != SQLITE_DONE) die(sqlite3_errmsg(handle));
            sqlite3_reset(statement);
        }
        run_or_die(handle, "COMMIT");
    });
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
    sqlite3_close(handle);
    return commits;
}

// One bare connection that commits a row at a time.
class BareClient {
public:
    BareClient(const std::string& url, const char* sql) : connection_{PQconnectdb(url.c_str())} {
        PQclear(PQprepare(connection_, "i", sql, 2, nullptr));
    }
    ~BareClient() { PQfinish(connection_); }
    BareClient(const BareClient&) = delete;
    BareClient& operator=(const BareClient&) = delete;

    void insert() {
        const std::string number = std::to_string(next_sequence++);
        const char* values[] = {number.c_str(), body.c_str()};
        PGresult* result = PQexecPrepared(connection_, "i", 2, values, nullptr, nullptr, 0);
        if (PQresultStatus(result) != PGRES_TUPLES_OK &&
            PQresultStatus(result) != PGRES_COMMAND_OK) {
            die(PQerrorMessage(connection_));
        }
        PQclear(result);
    }

private:
    PGconn* connection_;
};

inline double bare_postgres(const std::string& url) {
    BareClient client{url, "INSERT INTO bare VALUES ($1::bigint, $2)"};
    return measure("bare libpq loop, 1 row a commit", [&] { client.insert(); });
}

// The design we did not take: many connections, each with transactions of its own. `sql` may make
// them queue on one row, as a chain with one head does.
inline void bare_concurrent(const std::string& url, const std::string& name, const char* sql) {
    constexpr int connections = 16;
    std::atomic<std::int64_t> rows{0};
    const auto start = SystemClock{}.now();
    {
        std::vector<std::jthread> threads;
        threads.reserve(connections);
        for (int i = 0; i < connections; ++i) {
            threads.emplace_back([&] {
                BareClient client{url, sql};
                for (; SystemClock{}.now() - start < measured; ++rows) client.insert();
            });
        }
    }
    const double seconds = std::chrono::duration<double>(SystemClock{}.now() - start).count();
    fmt::print("{:<58}{:>12.0f} /s\n", name, static_cast<double>(rows) / seconds);
}

inline void prepare_bare(const std::string& url) {
    PGconn* connection = PQconnectdb(url.c_str());
    for (const char* sql :
         {"CREATE TABLE bare (sequence BIGINT PRIMARY KEY, body TEXT)",
          "CREATE TABLE head (id BIGINT, size BIGINT)", "INSERT INTO head VALUES (1, 0)"}) {
        PQclear(PQexec(connection, sql));
    }
    PQfinish(connection);
}

} // namespace hive::bench
