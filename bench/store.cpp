// Durable writes per second: the store on both engines, beside a bare loop on each and beside the
// number of times a second that this disk can sync. One row of 300 bytes with an index a unit; with
// audit, the unit records one entry of the hash chain besides.
#include "audit/ledger_verifier.hpp"
#include "bench/store_yardsticks.hpp"
#include "kernel/entropy.hpp"
#include "store/audit_ledger.hpp"
#include "store/chronicle.hpp"
#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace hive::bench;
using namespace hive::store;
using namespace std::chrono_literals;

Status insert(Session& session, std::int64_t sequence) {
    auto done = session.execute(
        "INSERT INTO hive_event (hive, sequence, time, topic, body) VALUES ('main', $1, 0, 't', "
        "$2)",
        {sequence, body});
    if (!done) return fail(done.error());
    return {};
}

// Hands in a unit that inserts the next row.
using Submit = std::function<Status(Done done)>;

Submit plain(Database& database) {
    return [&database](Done done) {
        return database.write(
            {[sequence = next_sequence++](Session& session) { return insert(session, sequence); }},
            std::move(done));
    };
}

// As a server records it: ids are UUIDs that begin with the time, details some hundred bytes.
audit::Fact fact(std::int64_t number) {
    const auto id = [&](const char* kind) {
        const auto scattered = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15U;
        return fmt::format("{}-{:08x}-7a7b-8c1d-{:016x}", kind, number / 3, scattered);
    };
    const json::object details{
        {"before", {{"state", "pending"}, {"claimedBy", nullptr}}},
        {"after", {{"state", "claimed"}, {"claimedBy", "BOT-003"}, {"attempt", number}}},
        {"reason", "taken from the queue in the order of priority and age"}};
    return audit::Fact{
        .time = SystemClock{}.wall(),
        .actor = fmt::format("bee:BOT-{:03}", number % 50),
        .action = number % 4 == 0 ? "task.claimed" : "task.updated",
        .entity_type = "task",
        .entity_id = id("task"),
        .correlation_id = id("corr"),
        .request_id = id("req"),
        .details = audit::Details::of(details).value()};
}

Submit audited(Chronicle& chronicle) {
    return [&chronicle](Done done) {
        const auto sequence = next_sequence++;
        return chronicle.change(
            {[sequence, fact = fact(sequence)](Session& session, Facts& facts) -> Status {
                facts.push_back(fact);
                return insert(session, sequence);
            }},
            std::move(done));
    };
}

double one_writer(const Submit& submit, const std::string& name) {
    return measure(name + ", 1 waiting writer", [&] {
        std::promise<Status> outcome;
        const Status taken = submit([&](Status status) { outcome.set_value(std::move(status)); });
        if (!taken) die(taken.error().detail);
        if (const Status done = outcome.get_future().get(); !done) die(done.error().detail);
    });
}

// Each writer hands in its next unit when its last one is done, as a server with 100 requests does.
class ManyWriters {
public:
    explicit ManyWriters(Submit submit) : submit_{std::move(submit)} {}

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
        const Status taken = submit_([this](const Status& status) {
            if (!status) die(status.error().detail);
            ++done_;
            if (SystemClock{}.now() < end_) return submit();
            const std::lock_guard lock{mutex_};
            if (--running_ == 0) changed_.notify_all();
        });
        if (!taken) die(taken.error().detail);
    }

    Submit submit_;
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
    double audited_single;
    double audited_many;
};

// Whatever the speed, the chain must hold.
void verify(Database& database, const HiveId& hive) {
    const auto start = SystemClock{}.now();
    const auto report = read_for(
        database,
        [&](Session& session) { return audit::verify_ledger(AuditLedger{session, hive}, {}); },
        5min);
    if (!report) die(report.error().detail);
    if (!report->good()) die(report->fault->reason);
    const double seconds = std::chrono::duration<double>(SystemClock{}.now() - start).count();
    fmt::print(
        "{:<58}{:>12.0f} /s\n", fmt::format("  verified in place, {} entries", report->entries),
        static_cast<double>(report->entries) / seconds);
}

Rates rates_of(Database& database, const std::string& name) {
    if (auto ok = migrate(database); !ok) die(ok.error().detail);
    Rates rates{};
    rates.single = one_writer(plain(database), name);
    rates.many = ManyWriters{plain(database)}.run(name, 100);
    rates.rows = rows_in_one_unit(database, name);
    Chronicle chronicle{database, HiveId::parse("main").value(), &fill_from_entropy};
    rates.audited_single = one_writer(audited(chronicle), name + " with audit");
    for (const int writers : {100, 500}) {
        rates.audited_many = std::max(
            rates.audited_many, ManyWriters{audited(chronicle)}.run(name + " with audit", writers));
    }
    verify(database, chronicle.hive());
    return rates;
}

struct Disk { // commits per second, if the disk were all there is
    double plain;
    double audited;
};

void print_audited(const std::string& engine, const Rates& rates, const Disk& disk) {
    fmt::print(
        "{} with audit: single {:.2f} of the disk's syncs, {:.2f} of without; many {:.0f} /s, "
        "{:.2f} of without\n",
        engine, rates.audited_single / disk.audited, rates.audited_single / rates.single,
        rates.audited_many, rates.audited_many / rates.many);
}

void run_sqlite(const std::filesystem::path& directory, const Disk& disk) {
    const double bare_one = bare_sqlite(directory, 1);
    const double bare_hundred = bare_sqlite(directory, 100);
    const double bare_audited = bare_sqlite_audited(directory);
    auto sqlite = sqlite::open({.directory = directory});
    if (!sqlite) die(sqlite.error().detail);
    const Rates rates = rates_of(**sqlite, "store on SQLite");
    fmt::print(
        "\nSQLite     single {:.2f} of the bare loop, {:.2f} of the disk's syncs\n",
        rates.single / bare_one, rates.single / disk.plain);
    fmt::print(
        "SQLite     100 writers {:.2f} of the bare loop with 100 rows a commit\n",
        rates.many / bare_hundred);
    fmt::print("SQLite     {:.0f} rows/s in units of 1000\n", rates.rows);
    print_audited("SQLite    ", rates, disk);
    fmt::print(
        "SQLite     with audit: single {:.2f} of the bare loop with the same rows\n",
        rates.audited_single / bare_audited);
}

void run_postgres(const Disk& disk) {
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
    const Rates rates = rates_of(**postgres, "store on PostgreSQL");
    fmt::print(
        "\nPostgreSQL single {:.2f} of the bare loop, {:.2f} of the disk's syncs\n",
        rates.single / bare_libpq, rates.single / disk.plain);
    fmt::print(
        "PostgreSQL 100 writers {:.2f} times one waiting writer\n", rates.many / rates.single);
    fmt::print("PostgreSQL {:.0f} rows/s in units of 1000\n", rates.rows);
    print_audited("PostgreSQL", rates, disk);
}

} // namespace

// store [sqlite | postgres]: without a word, both.
int main(int argc, char** argv) {
    const std::string_view only = argc > 1 ? argv[1] : "";
    const tests::ScratchDirectory scratch;
    // A commit of one row brings two pages, one with its audit entry about ten.
    const Disk disk{sync_rate(scratch.path(), 2), sync_rate(scratch.path(), 10)};
    if (only != "postgres") run_sqlite(scratch.path(), disk);
    if (only != "sqlite") run_postgres(disk);
}
