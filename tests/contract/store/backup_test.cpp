#include "store/backup.hpp"
#include "store/check.hpp"
#include "store/migration.hpp"
#include "tests/contract/store/home.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
namespace fs = std::filesystem;

namespace {

constexpr int settings_rows = 70; // more than one batch of the restore

// Something in several tables, with every kind of value and rows that refer to each other.
Status fill(Session& session) {
    const auto run = [&](std::string_view sql, const std::vector<Value>& params) -> Status {
        auto done = session.execute(sql, params);
        if (!done) return fail(done.error());
        return {};
    };
    Status ok{};
    for (int i = 0; ok && i < settings_rows; ++i) {
        const std::string name = "name-" + std::to_string(i);
        ok = run(
            "INSERT INTO settings (hive, name, value, changed) VALUES ('main', $1, $2, $3)",
            {name, "gr\xc3\xbc\xc3\x9f \"quoted\"\n\\", std::int64_t{9'007'199'254'740'993} + i});
    }
    if (ok) {
        ok = run(
            "INSERT INTO audit_log (hive, sequence, time, actor, action, entity_type, entity_id, "
            "details_hash, hash) VALUES ('main', 1, 7, 'a', 'b', 'c', 'd', $1, $2)",
            {Blob{}, store::bytes_of(std::string_view{"\0\xff", 2})});
    }
    if (ok) {
        ok = run("INSERT INTO audit_details (hive, sequence, erased) VALUES ('main', 1, 8)", {});
    }
    const std::string key = "INSERT INTO accounts_key (id, hive, kind, shown, hash, role, scopes, "
                            "created, rotated_to) VALUES ($1, 'main', 'api', 'p…1234', $2, 'bee', "
                            "'', 1, $3)";
    if (ok) ok = run(key, {"z-new", store::bytes_of("2"), Null{}});
    if (ok) ok = run(key, {"a-old", store::bytes_of("1"), "z-new"});
    return ok;
}

std::string text_of_file(const fs::path& path) {
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class Backups {
public:
    Backups() : home_{make_home()}, database{home_->open()} {
        REQUIRE(migrate(*database));
        REQUIRE(write_and_wait(*database, {fill}));
    }
    fs::path file(const std::string& name) const { return scratch_.path() / name; }

    // A backup of a new store that `from` was restored into: the same bytes if nothing was lost.
    std::string round_trip(const fs::path& from) {
        const auto other_home = make_home();
        const auto other = other_home->open();
        const auto restored = restore(*other, from, Overwrite::never);
        REQUIRE_MESSAGE(restored, (restored ? "" : restored.error().detail));
        const fs::path copy = file("copy");
        REQUIRE(back_up(*other, copy));
        CHECK(check(*other)->sound());
        return text_of_file(copy);
    }

private:
    ScratchDirectory scratch_;
    std::unique_ptr<Home> home_;

public:
    std::unique_ptr<Database> database;
};

} // namespace

TEST_CASE("a backup restored into an empty store is the same store") {
    Backups backups;
    const auto report = back_up(*backups.database, backups.file("backup"));
    REQUIRE(report);
    CHECK(report->rows == settings_rows + 4);
    std::set<std::string_view> tables; // a later step may make one anew
    for (const Migration& step : migrations())
        tables.insert(step.tables.begin(), step.tables.end());
    CHECK(report->tables == static_cast<std::int64_t>(tables.size()));
    CHECK(report->schema == static_cast<std::int64_t>(migrations().size()));
    CHECK(backups.round_trip(backups.file("backup")) == text_of_file(backups.file("backup")));
    const auto mode = fs::status(backups.file("backup")).permissions();
    CHECK((mode & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
}

TEST_CASE("a backup of the first schema, made by SQLite, restores into this engine and schema") {
    Backups backups;
    REQUIRE(back_up(*backups.database, backups.file("backup")));
    const fs::path old = hive::tests::in_source("tests/contract/store/backup_schema_1.jsonl");
    CHECK(backups.round_trip(old) == text_of_file(backups.file("backup")));
}

TEST_CASE("a store that holds something is only overwritten when forced") {
    Backups backups;
    REQUIRE(back_up(*backups.database, backups.file("backup")));
    REQUIRE(write_and_wait(*backups.database, {.work = [](Session& session) -> Status {
        auto done = session.execute(
            "INSERT INTO settings (hive, name, value, changed) VALUES ('x', 'y', 'z', 0)", {});
        if (!done) return fail(done.error());
        return {};
    }}));
    const auto refused = restore(*backups.database, backups.file("backup"), Overwrite::never);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().detail.find("not empty") != std::string::npos);
    REQUIRE(restore(*backups.database, backups.file("backup"), Overwrite::always));
    REQUIRE(back_up(*backups.database, backups.file("after")));
    CHECK(text_of_file(backups.file("after")) == text_of_file(backups.file("backup")));
}

TEST_CASE("a damaged, cut or foreign backup changes nothing, even when forced") {
    Backups backups;
    REQUIRE(back_up(*backups.database, backups.file("backup")));
    const std::string good = text_of_file(backups.file("backup"));
    const auto refuse = [&](const std::string& text) {
        std::ofstream{backups.file("bad"), std::ios::binary} << text;
        const auto result = restore(*backups.database, backups.file("bad"), Overwrite::always);
        REQUIRE_FALSE(result);
        return result.error();
    };
    std::string flipped = good;
    flipped[flipped.find("1234")] = '5';
    CHECK(refuse(flipped).detail.find("checksum") != std::string::npos);
    CHECK(refuse(good.substr(0, good.size() / 2)).code == Errc::invalid);
    CHECK(refuse(good.substr(0, good.rfind("{\"end"))).code == Errc::invalid);
    CHECK(refuse(good + "more\n").code == Errc::invalid);
    CHECK(refuse("").code == Errc::invalid);
    CHECK(refuse("SQLite format 3\n").code == Errc::invalid);
    CHECK(refuse("{\"format\":\"hive.backup/1\",\"schema\":99}\n").code == Errc::conflict);
    CHECK(
        refuse("{\"format\":\"hive.backup/1\",\"schema\":1}\n"
               "{\"table\":\"pg_class; DROP TABLE settings\",\"columns\":[\"x\"]}\n")
            .code == Errc::invalid);
    REQUIRE(back_up(*backups.database, backups.file("after")));
    CHECK(text_of_file(backups.file("after")) == good);
}

TEST_CASE("a backup never replaces a file and leaves none behind when it fails") {
    Backups backups;
    std::ofstream{backups.file("there")} << "precious";
    const auto refused = back_up(*backups.database, backups.file("there"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(text_of_file(backups.file("there")) == "precious");
    CHECK_FALSE(back_up(*backups.database, backups.file("no/such/directory")));
    CHECK_FALSE(restore(*backups.database, backups.file("nowhere"), Overwrite::always));
    CHECK(std::distance(fs::directory_iterator{backups.file("")}, {}) == 1);
}

TEST_CASE("a sound store passes the check and a foreign schema does not") {
    Backups backups;
    const auto sound = check(*backups.database);
    REQUIRE(sound);
    CHECK(sound->sound());
    CHECK(sound->rows == settings_rows + 4);
    REQUIRE(write_and_wait(*backups.database, {.work = [](Session& session) -> Status {
        auto done =
            session.execute("UPDATE store_migration SET checksum = 'edited' WHERE version = 1", {});
        if (!done) return fail(done.error());
        return {};
    }}));
    const auto unsound = check(*backups.database);
    REQUIRE(unsound);
    REQUIRE(unsound->problems.size() == 1);
    CHECK(unsound->problems.front().find("step 1") != std::string::npos);
}

TEST_CASE("a store without a schema is told to migrate") {
    const auto home = make_home();
    const auto database = home->open();
    const auto report = check(*database);
    REQUIRE(report);
    REQUIRE(report->problems.size() == 1);
    CHECK(report->problems.front().find("hive store migrate") != std::string::npos);
}
