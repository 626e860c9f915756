// Durable writes per second: the store on both engines, beside a bare loop on each and beside the
// number of times a second that this disk can sync. One row of 300 bytes with an index a unit.
#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace hive::store;
using namespace std::chrono_literals;

constexpr Duration measured = 2s; // per line
const std::string body(300, 'x');

[[noreturn]] void die(const std::string& what) {
    fmt::print(stderr, "bench: {}\n", what);
    std::exit(3);
}

// Calls `once` until the time is up and prints how often a second that was.
double measure(const std::string& name, const std::function<void()>& once) {
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

double sync_rate(const std::filesystem::path& directory) {
    const int file = ::open((directory / "sync").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const std::string page(4096, 'x');
    off_t at = 0;
    const double rate = measure("the disk: 4 KiB written and fdatasync'ed", [&] {
        if (::pwrite(file, page.data(), page.size(), at) < 0 || ::fdatasync(file) != 0) die("sync");
        at = (at + 4096) % (std::int64_t{1} << 22U);
    });
    ::close(file);
    return rate;
}

Status insert(Session& session, std::int64_t sequence) {
    auto done = session.execute(
        "INSERT INTO hive_event (hive, sequence, time, topic, body) VALUES ('main', $1, 0, 't', "
        "$2)",
        {sequence, body});
    if (!done) return fail(done.error());
    return {};
}

std::atomic<std::int64_t> next_sequence{1};

double one_writer(Database& database, const std::string& name) {
    return measure(name + ", 1 waiting writer", [&] {
        const auto sequence = next_sequence++;
        const Status done =
            write_and_wait(database, {[&](Session& session) { return insert(session, sequence); }});
        if (!done) die(done.error().detail);
    });
}

// Each writer hands in its next unit when its last one is done, as a server with 100 requests does.
class ManyWriters {
public:
    explicit ManyWriters(Database& database) : database_{database} {}

    double run(const std::string& name, int writers) {
        const auto start = SystemClock{}.now();
        end_ = start + measured;
        running_ = writers;
        for (int i = 0; i < writers; ++i) submit();
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return running_ == 0; });
        const double seconds = std::chrono::duration<double>(SystemClock{}.now() - start).count();
        const double rate = static_cast<double>(done_) / seconds;
        fmt::print(
            "{:<58}{:>12.0f} /s\n", fmt::format("{}, {} writers at once", name, writers), rate);
        return rate;
    }

private:
    void submit() {
        const auto sequence = next_sequence++;
        const Status taken = database_.write(
            {[sequence](Session& session) { return insert(session, sequence); }},
            [this](const Status& status) {
                if (!status) die(status.error().detail);
                ++done_;
                if (SystemClock{}.now() < end_) return submit();
                const std::lock_guard lock{mutex_};
                if (--running_ == 0) changed_.notify_all();
            });
        if (!taken) die(taken.error().detail);
    }

    Database& database_;
    std::mutex mutex_;
    std::condition_variable changed_;
    TimePoint end_{};
    int running_ = 0;
    std::atomic<std::int64_t> done_{0};
};

double rows_in_one_unit(Database& database, const std::string& name) {
    constexpr int rows = 1000;
    return rows * measure(name + ", units of 1000 rows", [&] {
               const auto first = next_sequence.fetch_add(rows);
               const Status done =
                   write_and_wait(database, {[&](Session& session) -> Status {
                                      for (std::int64_t i = first; i < first + rows; ++i) {
                                          if (auto ok = insert(session, i); !ok) return ok;
                                      }
                                      return {};
                                  }});
               if (!done) die(done.error().detail);
           });
}

struct Rates {
    double single;
    double many;
    double rows;
};

Rates rates_of(Database& database, const std::string& name) {
    if (auto ok = migrate(database); !ok) die(ok.error().detail);
    Rates rates{};
    rates.single = one_writer(database, name);
    rates.many = ManyWriters{database}.run(name, 100);
    rates.rows = rows_in_one_unit(database, name);
    return rates;
}

void run_or_die(sqlite3* handle, const char* sql) {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        die(sqlite3_errmsg(handle));
    }
}

// The same settings and statement without our code: what SQLite itself can do.
double bare_sqlite(const std::filesystem::path& directory, int rows_per_commit) {
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

double bare_postgres(const std::string& url) {
    BareClient client{url, "INSERT INTO bare VALUES ($1::bigint, $2)"};
    return measure("bare libpq loop, 1 row a commit", [&] { client.insert(); });
}

// The design we did not take: many connections, each with transactions of its own. `sql` may make
// them queue on one row, as a chain with one head does.
void bare_concurrent(const std::string& url, const std::string& name, const char* sql) {
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

void prepare_bare(const std::string& url) {
    PGconn* connection = PQconnectdb(url.c_str());
    for (const char* sql :
         {"CREATE TABLE bare (sequence BIGINT PRIMARY KEY, body TEXT)",
          "CREATE TABLE head (id BIGINT, size BIGINT)", "INSERT INTO head VALUES (1, 0)"}) {
        PQclear(PQexec(connection, sql));
    }
    PQfinish(connection);
}

} // namespace

int main() {
    const tests::ScratchDirectory scratch;
    const double sync = sync_rate(scratch.path());

    const double bare_one = bare_sqlite(scratch.path(), 1);
    const double bare_hundred = bare_sqlite(scratch.path(), 100);
    auto sqlite = sqlite::open({.directory = scratch.path()});
    if (!sqlite) die(sqlite.error().detail);
    const Rates ours = rates_of(**sqlite, "store on SQLite");

    tests::PostgresServer server;
    const std::string url = server.create_database();
    prepare_bare(url);
    const double bare_libpq = bare_postgres(url);
    bare_concurrent(
        url, "bare libpq, 16 connections at once", "INSERT INTO bare VALUES ($1::bigint, $2)");
    bare_concurrent(
        url, "bare libpq, 16 connections that share the head of a chain",
        "WITH grown AS (UPDATE head SET size = size + 1 WHERE id = 1) "
        "INSERT INTO bare VALUES ($1::bigint, $2)");
    auto postgres = postgres::open({.url = url});
    if (!postgres) die(postgres.error().detail);
    const Rates theirs = rates_of(**postgres, "store on PostgreSQL");

    fmt::print(
        "\nSQLite     single {:.2f} of the bare loop, {:.2f} of the disk's syncs\n",
        ours.single / bare_one, ours.single / sync);
    fmt::print(
        "SQLite     100 writers {:.2f} of the bare loop with 100 rows a commit\n",
        ours.many / bare_hundred);
    fmt::print("SQLite     {:.0f} rows/s in units of 1000\n", ours.rows);
    fmt::print(
        "PostgreSQL single {:.2f} of the bare loop, {:.2f} of the disk's syncs\n",
        theirs.single / bare_libpq, theirs.single / sync);
    fmt::print(
        "PostgreSQL 100 writers {:.2f} times one waiting writer\n", theirs.many / theirs.single);
    fmt::print("PostgreSQL {:.0f} rows/s in units of 1000\n", theirs.rows);
}
