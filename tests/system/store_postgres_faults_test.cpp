#include "audit/ledger_verifier.hpp"
#include "kernel/entropy.hpp"
#include "store/audit_ledger.hpp"
#include "store/backup.hpp"
#include "store/chronicle.hpp"
#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/cutting_proxy.hpp"
#include "tests/support/places.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/small_disk.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

PostgresServer& server() {
    static PostgresServer shared;
    return shared;
}

std::unique_ptr<Database> open_or_die(const std::string& url, postgres::Patience patience = {}) {
    auto database = postgres::open({.url = url, .patience = patience});
    REQUIRE_MESSAGE(database, (database ? "" : database.error().detail));
    REQUIRE(migrate(**database));
    return std::move(*database);
}

Status run(Database& database, const std::string& sql) {
    return write_and_wait(database, {.work = [&](Session& session) -> Status {
                              auto done = session.execute(sql, {});
                              if (!done) return fail(done.error());
                              return {};
                          }});
}

Status put(Database& database, const std::string& name) {
    return run(
        database, "INSERT INTO settings (hive, name, value, changed) VALUES ('main', '" + name +
                      "', 'x', 0)");
}

Result<std::int64_t> count(Database& database) {
    return read_for(database, [](Session& session) -> Result<std::int64_t> {
        std::int64_t rows = 0;
        const auto read = session.query(
            "SELECT count(*) FROM settings", {}, [&](const Row& row) { rows = row.integer(0); });
        if (!read) return fail(read.error());
        return rows;
    });
}

const HiveId hive_main = HiveId::parse("main").value();

// A row and its audit entry.
Status put_recorded(Database& database, const std::string& name) {
    std::promise<Status> outcome;
    const Status taken = Chronicle{database, hive_main, &fill_from_entropy}.change(
        {.work = [name](Session& session, Facts& facts) -> Status {
            facts.push_back({.actor = "human:alice", .action = "setting.put", .entity_id = name});
            const auto done = session.execute(
                "INSERT INTO settings (hive, name, value, changed) VALUES ('main', $1, 'x', 0)",
                {name});
            if (!done) return fail(done.error());
            return {};
        }},
        [&](Status status) { outcome.set_value(std::move(status)); });
    return taken ? outcome.get_future().get() : taken;
}

// The number of entries of a log that must be whole.
std::int64_t recorded(Database& database) {
    const auto report = read_for(database, [](Session& session) {
        return audit::verify_ledger(AuditLedger{session, hive_main}, {});
    });
    REQUIRE_MESSAGE(report, (report ? "" : report.error().detail));
    CHECK_MESSAGE(report->good(), (report->fault ? report->fault->reason : ""));
    return static_cast<std::int64_t>(report->entries);
}

bool says(const Error& error, std::string_view part) {
    return error.detail.find(part) != std::string::npos;
}

// A database behind a proxy that can cut.
struct CutDatabase {
    ScratchDirectory scratch{};
    CuttingProxy proxy{scratch.path() / ".s.PGSQL.5432", server().directory() / ".s.PGSQL.5432"};
    std::string direct = server().create_database();
    std::string url = [this] {
        std::string text = direct;
        const std::string from = server().directory().string();
        return text.replace(text.find(from), from.size(), scratch.path().string());
    }();
};

} // namespace

TEST_CASE("a server that is not there and a database that does not exist are told apart") {
    const auto nobody =
        postgres::open({.url = "postgresql:///x?host=/nonexistent", .patience = {.connect = 1s}});
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().code == Errc::unavailable);
    const auto unknown = postgres::open({.url = server().url("nonexistent")});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == Errc::not_found);
    const auto nonsense = postgres::open({.url = "postgresql://[::"});
    REQUIRE_FALSE(nonsense);
}

TEST_CASE("an outage longer than our patience is reported, and the store recovers by itself") {
    PostgresServer own;
    const auto database = open_or_die(own.create_database(), {.outage = 200ms});
    REQUIRE(put(*database, "before"));
    own.stop();
    const Status refused = put(*database, "during");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::unavailable);
    CHECK(says(refused.error(), "nothing was applied"));
    CHECK_FALSE(count(*database));
    own.start();
    // Not before the pause between attempts is over.
    const auto give_up = SystemClock{}.now() + 30s;
    while (!put(*database, "after") && SystemClock{}.now() < give_up) ::usleep(20'000);
    CHECK(*count(*database) == 2);
}

TEST_CASE("a server restarted while nobody wrote is not even noticed") {
    PostgresServer own;
    const auto database = open_or_die(own.create_database());
    REQUIRE(put(*database, "before"));
    REQUIRE(*count(*database) == 1);
    own.stop();
    own.start();
    CHECK(*count(*database) == 1);
    CHECK(put(*database, "after"));
    own.kill();
    own.start();
    CHECK(put(*database, "after the second"));
    CHECK(*count(*database) == 3);
}

TEST_CASE("a unit whose connection is cut is run again, whole") {
    const auto database = open_or_die(server().create_database());
    int runs = 0;
    const Status status = write_and_wait(*database, {.work = [&](Session& session) -> Status {
        const bool first = ++runs == 1;
        auto done = session.execute(
            "INSERT INTO settings (hive, name, value, changed) VALUES ('main', 'a', 'x', 0)", {});
        if (done && first) {
            done = session.execute("SELECT pg_terminate_backend(pg_backend_pid())", {});
        }
        if (!done) return fail(done.error());
        return {};
    }});
    CHECK(status);
    CHECK(runs == 2);
    CHECK(*count(*database) == 1);
}

TEST_CASE("a commit whose answer was lost is found to be applied, and is not applied twice") {
    CutDatabase cut;
    const auto database = open_or_die(cut.url);
    REQUIRE(put(*database, "one"));
    cut.proxy.cut_answer_to("COMMIT");
    const Status status =
        run(*database, "INSERT INTO hive_event (hive, sequence, time, topic, body) SELECT 'main', "
                       "coalesce(max(sequence), 0) + 1, 0, 't', 'b' FROM hive_event");
    CHECK_MESSAGE(status, (status ? "" : status.error().detail));
    CHECK(cut.proxy.cuts() == 1);
    const auto events = read_for(*database, [](Session& session) -> Result<std::int64_t> {
        std::int64_t rows = 0;
        const auto read = session.query(
            "SELECT count(*) FROM hive_event", {}, [&](const Row& row) { rows = row.integer(0); });
        if (!read) return fail(read.error());
        return rows;
    });
    CHECK(*events == 1);
}

TEST_CASE("a recorded change whose commit or connection is cut has one entry, not two") {
    CutDatabase cut;
    const auto database = open_or_die(cut.url);
    REQUIRE(put_recorded(*database, "one"));
    cut.proxy.cut_answer_to("COMMIT");
    CHECK(put_recorded(*database, "two"));
    CHECK(cut.proxy.cuts() == 1);
    cut.proxy.cut_answer_to("INSERT INTO audit_log");
    CHECK(put_recorded(*database, "three"));
    CHECK(cut.proxy.cuts() == 2);
    CHECK(*count(*database) == 3);
    CHECK(recorded(*database) == 3);
}

TEST_CASE("a server killed and restarted under recorded changes leaves one good chain") {
    PostgresServer own;
    const auto database = open_or_die(own.create_database());
    std::atomic<bool> stop = false;
    std::atomic<std::int64_t> told = 0;
    std::atomic<std::int64_t> refused = 0;
    {
        std::vector<std::jthread> writers;
        for (int writer = 0; writer < 4; ++writer) {
            writers.emplace_back([&, writer] {
                for (int i = 0; !stop; ++i) {
                    const auto name = std::to_string(writer) + "-" + std::to_string(i);
                    const bool done = put_recorded(*database, name).has_value();
                    ++(done ? told : refused);
                    if (!done) ::usleep(1'000); // a long outage is told at once
                }
            });
        }
        for (std::int64_t round = 1; round <= 3; ++round) {
            while (told < round * 50) ::usleep(1'000);
            if (round == 2) {
                own.stop();
            } else {
                own.kill();
            }
            own.start();
        }
        while (told < 200) ::usleep(1'000);
        stop = true;
    }
    MESSAGE("acknowledged ", told.load(), ", refused ", refused.load());
    const std::int64_t rows = *count(*database);
    CHECK(rows >= told);
    CHECK(rows <= told + refused);
    CHECK(recorded(*database) == rows);
}

TEST_CASE("a commit cut by the server before it was done is run again") {
    const auto database = open_or_die(server().create_database());
    REQUIRE(run(*database, "CREATE SEQUENCE attempts"));
    REQUIRE(run(
        *database, "CREATE FUNCTION cut_once() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN "
                   "IF nextval('attempts') = 1 THEN "
                   "PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END$$"));
    REQUIRE(
        run(*database, "CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON settings "
                       "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut_once()"));
    CHECK(put(*database, "one"));
    CHECK(*count(*database) == 1);
}

TEST_CASE("when the server stays away after a cut commit, the unit may have been applied") {
    CutDatabase cut;
    const auto database = open_or_die(cut.url, {.outage = 200ms, .outcome = 300ms});
    REQUIRE(put(*database, "one"));
    cut.proxy.refuse_connections(true);
    cut.proxy.cut_answer_to("COMMIT");
    const Status status = put(*database, "two");
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::unavailable);
    CHECK(says(status.error(), "may have been applied"));
    cut.proxy.refuse_connections(false);
    const auto direct = open_or_die(cut.direct);
    CHECK(*count(*direct) == 2);
}

TEST_CASE("a serialization failure is retried, and given up after so many times") {
    const auto database = open_or_die(server().create_database());
    REQUIRE(run(*database, "CREATE SEQUENCE attempts"));
    REQUIRE(
        run(*database, "CREATE FUNCTION fail_until(n BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS "
                       "$$BEGIN IF nextval('attempts') < n THEN "
                       "RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; "
                       "END IF; RETURN 1; END$$"));
    CHECK(run(*database, "SELECT fail_until(3)"));
    const Status hopeless = run(*database, "SELECT fail_until(1000)");
    REQUIRE_FALSE(hopeless);
    CHECK(hopeless.error().code == Errc::unavailable);
    CHECK(says(hopeless.error(), "could not serialize"));
    CHECK(put(*database, "still alive"));
}

TEST_CASE("a table changed by another server under a prepared statement is no error") {
    const std::string url = server().create_database();
    const auto database = open_or_die(url);
    const auto columns = [&] {
        return read_for(*database, [](Session& session) -> Result<std::size_t> {
            std::size_t found = 0;
            const auto read = session.query(
                "SELECT * FROM settings", {}, [&](const Row& row) { found = row.size(); });
            if (!read) return fail(read.error());
            return found;
        });
    };
    REQUIRE(put(*database, "one"));
    for (int i = 0; i < 8; ++i) CHECK(*columns() == 4); // every reader has it prepared
    REQUIRE(run(*database, "ALTER TABLE settings ADD COLUMN extra BIGINT"));
    for (int i = 0; i < 8; ++i) CHECK(*columns() == 5);
}

TEST_CASE("errors of the server have the codes of the port") {
    const auto database = open_or_die(server().create_database());
    const std::pair<const char*, Errc> cases[] = {
        {"53100", Errc::unavailable}, {"53200", Errc::unavailable}, {"23505", Errc::conflict},
        {"23514", Errc::invalid},     {"42501", Errc::denied},      {"57014", Errc::timeout},
        {"54000", Errc::limit},       {"55P03", Errc::unavailable}, {"25006", Errc::denied},
        {"22012", Errc::invalid},     {"XX001", Errc::unavailable},
    };
    for (const auto& [state, code] : cases) {
        const Status status =
            run(*database, std::string{"DO $$BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '"} + state +
                               "'; END$$");
        REQUIRE_FALSE(status);
        CHECK_MESSAGE(status.error().code == code, state);
    }
}

TEST_CASE("a full disk of the server refuses the write and recovers when there is room") {
    const SmallDisk disk{"size=2m,mode=0700,uid=" + std::to_string(PostgresServer::user())};
    if (!disk) {
        MESSAGE("not checked: this machine does not let us mount a small disk");
        return;
    }
    PostgresServer own; // its table space ends with it
    const auto database = open_or_die(own.create_database());
    own.sql("hive_1", "CREATE TABLESPACE small LOCATION '" + disk.path().string() + "'");
    const std::string create = "CREATE TABLE filler (id BIGINT, body TEXT) TABLESPACE small";
    REQUIRE(run(*database, create));
    Status full{};
    std::int64_t told = 0;
    for (int i = 0; full && i < 2'000; ++i) {
        full = run(*database, "INSERT INTO filler SELECT 1, repeat(md5(random()::text), 60)");
        if (full) ++told;
    }
    REQUIRE_FALSE(full);
    CHECK(full.error().code == Errc::unavailable);
    CHECK_MESSAGE(says(full.error(), "free some space"), full.error().detail);
    CHECK(told > 0);
    CHECK(put(*database, "elsewhere there is room"));
    REQUIRE(run(*database, "DROP TABLE filler"));
    REQUIRE(run(*database, create));
    CHECK(run(*database, "INSERT INTO filler VALUES (2, 'y')"));
}

TEST_CASE("a writer that waits too long for another server's lock says so and recovers") {
    const std::string url = server().create_database();
    const auto database = open_or_die(url, {.lock = 200ms});
    const auto other = open_or_die(url);
    std::promise<void> inside;
    std::promise<void> leave;
    std::promise<Status> left;
    REQUIRE(other->write(
        {.work = [&](Session& session) -> Status {
            auto done = session.execute("DELETE FROM settings", {});
            inside.set_value();
            leave.get_future().wait();
            if (!done) return fail(done.error());
            return {};
        }},
        [&](Status status) { left.set_value(std::move(status)); }));
    inside.get_future().wait();
    const Status refused = put(*database, "one");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::unavailable);
    leave.set_value();
    CHECK(left.get_future().get());
    CHECK(put(*database, "one"));
}

TEST_CASE("a hive moves from SQLite to PostgreSQL and back without a change") {
    const ScratchDirectory scratch;
    const auto text = [](const fs::path& path) {
        std::ostringstream out;
        out << std::ifstream{path}.rdbuf();
        return out.str();
    };
    const fs::path original = in_source("tests/contract/store/backup_schema_1.jsonl");
    const auto sqlite = sqlite::open({.directory = scratch.path()});
    REQUIRE(sqlite);
    REQUIRE(restore(**sqlite, original, Overwrite::never));
    REQUIRE(back_up(**sqlite, scratch.path() / "1"));
    const auto postgres = postgres::open({.url = server().create_database()});
    REQUIRE(postgres);
    REQUIRE(restore(**postgres, scratch.path() / "1", Overwrite::never));
    REQUIRE(back_up(**postgres, scratch.path() / "2"));
    REQUIRE(restore(**sqlite, scratch.path() / "2", Overwrite::always));
    REQUIRE(back_up(**sqlite, scratch.path() / "3"));
    CHECK(text(scratch.path() / "1") == text(scratch.path() / "2"));
    CHECK(text(scratch.path() / "2") == text(scratch.path() / "3"));
}
