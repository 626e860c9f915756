// What `hive doctor` says of the store: its schema, its rights, who has it.
#include "kernel/json.hpp"
#include "tests/support/loopback_port.hpp"
#include "tests/support/places.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

using namespace hive;
using namespace hive::tests;
namespace fs = std::filesystem;

namespace {

struct Said {
    int exit_code = -1;
    std::string health{};
    std::string message{};
    std::string remedy{};
};

Said about_store(const Outcome& run) {
    REQUIRE_MESSAGE(!run.out.empty(), run.err);
    const auto report = parse_json(run.out.substr(0, run.out.size() - 1));
    REQUIRE_MESSAGE(report.has_value(), run.out);
    for (const auto& check : report->at("checks").as_array()) {
        if (check.at("name").as_string() != "store") continue;
        const auto* remedy = check.as_object().if_contains("remedy");
        return {
            run.exit_code, std::string{check.at("health").as_string()},
            std::string{check.at("message").as_string()},
            remedy != nullptr ? std::string{remedy->as_string()} : ""};
    }
    FAIL("no check of the store");
    return {};
}

std::vector<std::string> doctor(const std::vector<std::string>& more) {
    std::vector<std::string> args{
        "doctor", "--json", "--port", std::to_string(reserve_loopback_port())};
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// A data directory in which the program itself has made its store.
class Hive {
public:
    Hive() {
        const auto made =
            run_hive({"key", "create", "--role", "admin", "--data", data(), "--json"});
        REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    }
    std::string data() const { return scratch_.path("data"); }
    std::string file() const { return data() + "/hive.db"; }
    Said said() const { return about_store(run_hive(doctor({"--data", data()}))); }
    void sql(const std::string& statement) const {
        sqlite3* database = nullptr;
        REQUIRE(sqlite3_open(file().c_str(), &database) == SQLITE_OK);
        const int done = sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr);
        CHECK_MESSAGE(done == SQLITE_OK, sqlite3_errmsg(database));
        sqlite3_close(database);
    }

private:
    ScratchDirectory scratch_{};
};

} // namespace

TEST_CASE("a store that is there tells its schema version and size, and stays as it was") {
    const Hive hive;
    const auto before = fs::last_write_time(hive.file());
    const Said said = hive.said();
    CHECK(said.exit_code == 0);
    CHECK(said.health == "good");
    CHECK(contains(said.message, "SQLite store " + hive.file() + ", schema version "));
    CHECK(contains(said.message, " MiB"));
    CHECK_FALSE(contains(said.message, "a server has it"));
    CHECK(fs::last_write_time(hive.file()) == before);
}

TEST_CASE("a store that is not made yet, or empty, is made by the server") {
    const ScratchDirectory scratch;
    const Said none = about_store(run_hive(doctor({"--data", scratch.path("data")})));
    CHECK(none.exit_code == 0);
    CHECK(none.health == "note");
    CHECK(contains(none.message, "not made yet"));
    const std::string file = scratch.write("hive.db", "");
    const Said empty = about_store(run_hive(doctor({"--data", scratch.path()})));
    CHECK(empty.exit_code == 0);
    CHECK(contains(empty.message, "is empty; the server makes its tables"));
    CHECK(fs::file_size(file) == 0);
}

TEST_CASE("a store that a server has is fine, and said so") {
    const Hive hive;
    const int lock =
        ::open((hive.data() + "/hive.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(::flock(lock, LOCK_EX | LOCK_NB) == 0);
    const Said said = hive.said();
    ::close(lock);
    CHECK(said.exit_code == 0);
    CHECK(said.health == "good");
    CHECK(contains(said.message, "a server has it, which is fine"));
}

TEST_CASE("a store of a newer program is refused, one of an older program is no trouble") {
    const Hive newer;
    newer.sql("INSERT INTO store_migration VALUES (99, 'future', 'x', 0)");
    const Said ahead = newer.said();
    CHECK(ahead.exit_code == 3);
    CHECK(ahead.health == "missing");
    CHECK(contains(ahead.message, "is at schema version 99, this program knows versions up to "));
    CHECK(contains(ahead.remedy, "start the newer program"));

    const Hive older;
    older.sql("DELETE FROM store_migration WHERE version > 2");
    const Said behind = older.said();
    CHECK(behind.exit_code == 0);
    CHECK(behind.health == "note");
    CHECK(contains(behind.message, "is at schema version 2 of "));
    CHECK(contains(behind.remedy, "backup"));

    const Hive other;
    other.sql("UPDATE store_migration SET checksum = 'x' WHERE version = 1");
    const Said strange = other.said();
    CHECK(strange.exit_code == 3);
    CHECK(contains(strange.message, "is not the step 1"));
}

TEST_CASE("a store that could not be copied beside itself is worth a warning") {
    const Hive hive;
    const auto free = fs::space(hive.data()).available;
    fs::resize_file(hive.file(), free + (std::uintmax_t{1} << 30U)); // a hole: it takes no room
    const Said said = hive.said();
    CHECK(said.exit_code == 0);
    CHECK(said.health == "warning");
    CHECK(contains(said.message, "MiB are free beside it"));
    CHECK(contains(said.remedy, "make room"));
}

TEST_CASE("a store that is no store, or cannot be written, is one clear sentence") {
    const ScratchDirectory scratch;
    scratch.write("hive.db", std::string(8192, 'x'));
    const Said nonsense = about_store(run_hive(doctor({"--data", scratch.path()})));
    CHECK(nonsense.exit_code == 3);
    CHECK(contains(nonsense.message, "cannot be read"));
    CHECK_FALSE(contains(nonsense.message, "\n"));

    const ScratchDirectory folder;
    fs::create_directory(folder.path("hive.db"));
    const Said directory = about_store(run_hive(doctor({"--data", folder.path()})));
    CHECK(directory.exit_code == 3);
    CHECK(contains(directory.message, "is not a file"));

    const Hive hive;
    fs::permissions(hive.file(), fs::perms::owner_read | fs::perms::others_read);
    std::vector<std::string> argv = doctor({"--data", hive.data()});
    argv.insert(argv.begin(), hive_program());
    if (::geteuid() == 0) { // whom permission bits do not stop
        for (fs::path at = hive.data(); at.has_relative_path(); at = at.parent_path()) {
            if (at == fs::temp_directory_path()) break;
            fs::permissions(
                at, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
        }
        const std::vector<std::string> as_nobody{
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
        argv.insert(argv.begin(), as_nobody.begin(), as_nobody.end());
    }
    const Said said = about_store(run_program(argv));
    CHECK(said.exit_code == 3);
    CHECK(said.health == "missing");
    CHECK(contains(said.message, "cannot be written: Permission denied"));
}

TEST_CASE("of PostgreSQL it is told whether tables may be made, and which are there") {
    PostgresServer server;
    const auto url = server.create_database();
    const Said empty = about_store(run_hive(doctor({"--store", url})));
    CHECK_MESSAGE(empty.exit_code == 0, empty.message);
    CHECK(contains(empty.message, "accepts us is empty"));

    server.sql("postgres", "CREATE ROLE bee LOGIN");
    std::string of_bee = url;
    of_bee.replace(of_bee.find("user=postgres"), 13, "user=bee");
    const Said refused = about_store(run_hive(doctor({"--store", of_bee})));
    CHECK(refused.exit_code == 3);
    CHECK(refused.health == "missing");
    CHECK(contains(refused.message, "'bee' may not create tables in schema 'public'"));
    CHECK(refused.remedy == "GRANT CREATE, USAGE ON SCHEMA public TO bee;");

    server.sql("hive_1", refused.remedy);
    const auto made = run_hive({"store", "migrate", "--store", of_bee});
    REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    const Said good = about_store(run_hive(doctor({"--store", of_bee})));
    CHECK(good.exit_code == 0);
    CHECK(good.health == "good");
    CHECK(contains(good.message, "accepts us, schema version "));

    server.sql("hive_1", "REVOKE CREATE ON SCHEMA public FROM bee");
    const Said enough = about_store(run_hive(doctor({"--store", of_bee})));
    CHECK(enough.exit_code == 0);
    CHECK(enough.health == "warning");

    server.sql("postgres", "ALTER ROLE bee SET default_transaction_read_only = on");
    const Said reading = about_store(run_hive(doctor({"--store", of_bee})));
    CHECK(reading.exit_code == 3);
    CHECK(contains(reading.message, "is read-only for us"));

    server.sql("hive_1", "INSERT INTO store_migration VALUES (99, 'future', 'x', 0)");
    server.sql("postgres", "CREATE ROLE other LOGIN");
    std::string of_other = url;
    of_other.replace(of_other.find("user=postgres"), 13, "user=other");
    const Said foreign = about_store(run_hive(doctor({"--store", of_other})));
    CHECK(foreign.exit_code == 3);
    CHECK(contains(foreign.message, "permission denied"));
    const Said newer = about_store(run_hive(doctor({"--store", url})));
    CHECK(newer.exit_code == 3);
    CHECK(contains(newer.message, "is at schema version 99"));
}
