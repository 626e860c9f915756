#include "tests/support/postgres_server.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::tests;
namespace fs = std::filesystem;

namespace {

// A hive without a server, and what `hive store` says about it.
struct Kept : Person {
    Kept() {
        const auto made = run({"key", "create", "--role", "admin", "--data", data});
        REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    }
    Outcome store(std::vector<std::string> args, const std::string& where) const {
        args.insert(args.begin(), "store");
        args.insert(args.end(), {"--data", where});
        return run(std::move(args));
    }
    Outcome store(std::vector<std::string> args) const { return store(std::move(args), data); }

    void damage(std::streamoff at, std::size_t bytes) const {
        std::fstream file{data + "/hive.db", std::ios::in | std::ios::out | std::ios::binary};
        file.seekp(at);
        file << std::string(bytes, '\x5a');
    }

    std::string data = home.path("data");
    std::string backup = home.path("hive.backup");
};

} // namespace

TEST_CASE("a store is brought up to this program's schema, and once is enough") {
    const Kept kept;
    const auto again = object_in(kept.store({"migrate", "--json"}).out);
    CHECK(again.at("from") == again.at("to"));
    CHECK(contains(kept.store({"migrate"}).out, "nothing to do"));
    const std::string empty = kept.home.path("empty");
    fs::create_directories(empty);
    std::ofstream{empty + "/hive.db"}.close(); // that nobody has begun with yet
    const auto first = kept.store({"migrate"}, empty);
    CHECK_MESSAGE(contains(first.out, "from schema version 0 to"), first.out, first.err);
    CHECK(kept.store({"check"}, empty).exit_code == 0);
    CHECK(kept.store({"migrate"}, kept.home.path("none")).exit_code == 3);
}

TEST_CASE("a backup restores into a new place, where the same keys are") {
    const Kept kept;
    const auto written = kept.store({"backup", kept.backup});
    CHECK_MESSAGE(written.exit_code == 0, written.err);
    CHECK(contains(written.out, kept.backup + " holds "));
    const auto mode = fs::status(kept.backup).permissions();
    CHECK(mode == (fs::perms::owner_read | fs::perms::owner_write));

    const std::string place = kept.home.path("elsewhere");
    const auto restored = object_in(kept.store({"restore", kept.backup, "--json"}, place).out);
    CHECK(restored.at("rows").as_int64() > 0);
    CHECK(fs::status(place).permissions() == fs::perms::owner_all);
    CHECK(
        kept.run({"key", "list", "--data", place}).out ==
        kept.run({"key", "list", "--data", kept.data}).out);
    CHECK(kept.store({"check"}, place).exit_code == 0);
}

TEST_CASE("a store that holds something is replaced only with --overwrite") {
    const Kept kept;
    REQUIRE(kept.store({"backup", kept.backup}).exit_code == 0);
    REQUIRE(kept.run({"key", "create", "--role", "bee", "--data", kept.data}).exit_code == 0);
    const auto refused = kept.store({"restore", kept.backup});
    CHECK(refused.exit_code == 3);
    CHECK(contains(refused.err, "is not empty"));
    CHECK(contains(refused.err, "--overwrite"));
    CHECK(kept.ask({"key", "list", "--data", kept.data}).at("items").as_array().size() == 2);
    const auto replaced = kept.store({"restore", kept.backup, "--overwrite"});
    CHECK_MESSAGE(replaced.exit_code == 0, replaced.err);
    CHECK(kept.ask({"key", "list", "--data", kept.data}).at("items").as_array().size() == 1);
}

TEST_CASE("a backup never replaces a file, and a bad one is refused with the reason") {
    const Kept kept;
    const auto report = object_in(kept.store({"backup", kept.backup, "--json"}).out);
    CHECK(text_of(report, "file") == kept.backup);
    CHECK(report.at("schema").as_int64() >= 2);
    const auto again = kept.store({"backup", kept.backup});
    CHECK(again.exit_code == 3);
    CHECK(contains(again.err, "exists"));

    const std::string place = kept.home.path("elsewhere");
    CHECK(kept.store({"restore", kept.home.path("none")}, place).exit_code == 2);
    CHECK_FALSE(fs::exists(place));
    fs::resize_file(kept.backup, fs::file_size(kept.backup) - 20);
    const auto cut = kept.store({"restore", kept.backup}, place);
    CHECK(cut.exit_code == 2);
    CHECK_FALSE(cut.err.empty());
    CHECK(kept.run({"store", "backup"}).exit_code == 2);
}

TEST_CASE("information names engine, schema, size and rows, and makes nothing") {
    const Kept kept;
    const auto info = object_in(kept.store({"info", "--json"}).out);
    CHECK(text_of(info, "engine") == "SQLite");
    CHECK(info.at("schema") == info.at("newestSchema"));
    CHECK(info.at("bytes").as_int64() > 0);
    CHECK(info.at("rows").as_object().at("accounts_key").as_int64() == 1);
    CHECK(contains(kept.store({"info"}).out, "accounts_key"));
    for (const char* command : {"info", "check"}) {
        const auto none = kept.store({command}, kept.home.path("none"));
        CHECK(none.exit_code == 3);
        CHECK(contains(none.err, "there is no hive in"));
    }
    CHECK_FALSE(fs::exists(kept.home.path("none")));
}

TEST_CASE("a sound store is told from a damaged one by exit codes 0 and 1") {
    const Kept kept;
    const auto sound = kept.store({"check"});
    CHECK(sound.exit_code == 0);
    CHECK(contains(sound.out, "is sound"));
    CHECK(object_in(kept.store({"check", "--json"}).out).at("sound").as_bool());

    REQUIRE(kept.store({"backup", kept.backup}).exit_code == 0);
    constexpr std::streamoff second_page = 4096;
    kept.damage(second_page, 60'000);
    const auto damaged = kept.store({"check"});
    CHECK_MESSAGE(damaged.exit_code == 1, damaged.err);
    CHECK(contains(damaged.out, "is not sound"));
    const auto report = object_in(kept.store({"check", "--json"}).out);
    CHECK_FALSE(report.at("sound").as_bool());
    CHECK_FALSE(report.at("problems").as_array().empty());

    kept.damage(0, 100); // not even a database any more
    CHECK(kept.store({"check"}).exit_code == 1);
    const auto restored = kept.store({"restore", kept.backup, "--overwrite"});
    CHECK(restored.exit_code == 3);
    CHECK(contains(restored.err, "move it and its -wal file away"));
    fs::remove(kept.data + "/hive.db");
    CHECK(kept.store({"restore", kept.backup}).exit_code == 0);
    CHECK(kept.store({"check"}).exit_code == 0);
}

TEST_CASE("beside a running server all but restoring works") {
    RunningHive hive;
    const std::string backup = hive.home.path("live.backup");
    CHECK(hive.run_local({"store", "backup", backup}).exit_code == 0);
    CHECK(hive.run_local({"store", "check"}).exit_code == 0);
    CHECK(hive.run_local({"store", "info"}).exit_code == 0);
    const auto refused = hive.run_local({"store", "restore", backup, "--overwrite"});
    CHECK(refused.exit_code == 3);
    CHECK(contains(refused.err, "is in use by process"));
    hive.stop();
    CHECK(hive.run_local({"store", "restore", backup, "--overwrite"}).exit_code == 0);
}

TEST_CASE("a hive moves to PostgreSQL with a backup, and every command follows it there") {
    const Kept kept;
    REQUIRE(kept.store({"backup", kept.backup}).exit_code == 0);
    PostgresServer server;
    const std::string url = server.create_database();
    const auto restored = kept.run({"store", "restore", kept.backup, "--store", url});
    CHECK_MESSAGE(restored.exit_code == 0, restored.err);
    CHECK(kept.run({"store", "check", "--store", url}).exit_code == 0);
    CHECK(text_of(kept.ask({"store", "info", "--store", url}), "engine") == "PostgreSQL");
    CHECK(
        kept.run({"key", "list", "--store", url}).out ==
        kept.run({"key", "list", "--data", kept.data}).out);
    // The signing key is a file also where the log is in PostgreSQL.
    const std::vector<std::string> place{"--store", url, "--data", kept.data};
    for (const char* command : {"checkpoint", "verify"}) {
        std::vector<std::string> args{"audit", command};
        args.insert(args.end(), place.begin(), place.end());
        const auto run = kept.run(args);
        CHECK_MESSAGE(run.exit_code == 0, run.err);
    }
    CHECK(kept.run({"store", "info", "--store", "mysql://x/y"}).exit_code == 2);
}
