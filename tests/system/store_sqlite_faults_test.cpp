#include "store/check.hpp"
#include "store/migration.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/small_disk.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <future>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

Result<std::unique_ptr<Database>>
open(const fs::path& directory, sqlite::Tenancy tenancy = sqlite::Tenancy::owner) {
    return sqlite::open({.directory = directory, .tenancy = tenancy, .lock_wait = 100ms});
}

std::unique_ptr<Database> open_or_die(const fs::path& directory) {
    auto database = open(directory);
    REQUIRE_MESSAGE(database, (database ? "" : database.error().detail));
    REQUIRE(migrate(**database));
    return std::move(*database);
}

Status put(Database& database, const std::string& name, const std::string& value = "x") {
    return write_and_wait(
        database, {.work = [&](Session& session) -> Status {
            auto done = session.execute(
                "INSERT INTO settings (hive, name, value, changed) VALUES ('main', $1, $2, 0)",
                {name, value});
            if (!done) return fail(done.error());
            return {};
        }});
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

bool says(const Error& error, std::string_view part) {
    return error.detail.find(part) != std::string::npos;
}

// The system refuses to let any file of this process grow beyond `bytes`.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
};

} // namespace

TEST_CASE("a missing data directory, or a file in its place, is named") {
    const ScratchDirectory scratch;
    const auto missing = open(scratch.path() / "nowhere");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == Errc::not_found);
    CHECK(says(missing.error(), "nowhere' does not exist"));
    std::ofstream{scratch.path() / "file"} << "x";
    CHECK(open(scratch.path() / "file").error().code == Errc::not_found);
}

TEST_CASE("a read-only data directory is refused with what to do") {
    if (::geteuid() != 0) {
        const ScratchDirectory scratch;
        fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
        const auto refused = open(scratch.path());
        fs::permissions(scratch.path(), fs::perms::owner_all);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::denied);
        CHECK(says(refused.error(), "cannot be written"));
        return;
    }
    const SmallDisk disk{"size=4m"};
    if (!disk) {
        MESSAGE("not checked: root may write everywhere and may not mount here");
        return;
    }
    REQUIRE(disk.make_read_only());
    const auto refused = open(disk.path());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::denied);
    CHECK(says(refused.error(), "cannot be written"));
}

TEST_CASE("a file that is no database is refused and left alone") {
    const ScratchDirectory scratch;
    const std::string text(5000, 'x');
    std::ofstream{scratch.path() / "hive.db"} << text;
    const auto refused = open(scratch.path());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::unavailable);
    CHECK(says(refused.error(), "hive.db"));
    CHECK(fs::file_size(scratch.path() / "hive.db") == text.size());
}

TEST_CASE("a second server on a data directory is refused and told who has it") {
    const ScratchDirectory scratch;
    auto first = open_or_die(scratch.path());
    const auto second = open(scratch.path());
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::conflict);
    CHECK(says(second.error(), "process " + std::to_string(::getpid())));
    first.reset();
    CHECK(open(scratch.path()));
}

TEST_CASE("a visitor writes beside the server and both see it") {
    const ScratchDirectory scratch;
    const auto server = open_or_die(scratch.path());
    REQUIRE(put(*server, "by the server"));
    {
        const auto visitor = open(scratch.path(), sqlite::Tenancy::visitor);
        REQUIRE(visitor);
        REQUIRE(put(**visitor, "by the visitor"));
        CHECK(*count(**visitor) == 2);
    }
    REQUIRE(put(*server, "by the server again"));
    CHECK(*count(*server) == 3);
}

TEST_CASE("a locked database is reported after a bounded wait, readable meanwhile, and recovers") {
    const ScratchDirectory scratch;
    const auto database = open_or_die(scratch.path());
    REQUIRE(put(*database, "one"));
    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open((scratch.path() / "hive.db").c_str(), &other) == SQLITE_OK);
    REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);

    const Status refused = put(*database, "two");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::unavailable);
    CHECK(says(refused.error(), "another program"));
    CHECK(*count(*database) == 1);

    REQUIRE(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(other);
    CHECK(put(*database, "two"));
    CHECK(*count(*database) == 2);
}

TEST_CASE("a full disk refuses the write, keeps what was told, and recovers when there is room") {
    const SmallDisk disk{"size=4m"};
    if (!disk) {
        MESSAGE("not checked: this machine does not let us mount a small disk");
        return;
    }
    const auto database = open_or_die(disk.path());
    std::ofstream{disk.path() / "ballast"} << std::string(1'000'000, 'x');
    std::int64_t told = 0;
    Status full{};
    for (int i = 0; full && i < 10'000; ++i) {
        full = put(*database, std::to_string(i), std::string(20'000, 'x'));
        if (full) ++told;
    }
    REQUIRE_FALSE(full);
    CHECK(full.error().code == Errc::unavailable);
    CHECK_MESSAGE(says(full.error(), "free some space"), full.error().detail);
    CHECK(told > 0);
    CHECK(*count(*database) == told);

    fs::remove(disk.path() / "ballast");
    CHECK(put(*database, "after"));
    CHECK(*count(*database) == told + 1);
    CHECK(check(*database)->sound());
}

TEST_CASE("a small unit succeeds in the group of one that does not fit on the disk") {
    const SmallDisk disk{"size=4m"};
    if (!disk) {
        MESSAGE("not checked: this machine does not let us mount a small disk");
        return;
    }
    const auto database = open_or_die(disk.path());
    std::promise<void> gate;
    std::promise<Status> big;
    std::promise<Status> small;
    const auto entry = [](std::string name, std::size_t size) {
        return Unit{.work = [name, size](Session& session) -> Status {
            auto done = session.execute(
                "INSERT INTO settings (hive, name, value, changed) VALUES ('main', $1, $2, 0)",
                {name, std::string(size, 'x')});
            if (!done) return fail(done.error());
            return {};
        }};
    };
    REQUIRE(database->write(
        {.work = [&](Session&) -> Status {
            gate.get_future().wait();
            return {};
        }},
        [](const Status&) {}));
    const auto into = [](std::promise<Status>& promise) {
        return [&promise](Status status) { promise.set_value(std::move(status)); };
    };
    REQUIRE(database->write(entry("small", 10), into(small)));
    REQUIRE(database->write(entry("big", 20'000'000), into(big)));
    gate.set_value();
    CHECK(small.get_future().get());
    CHECK_FALSE(big.get_future().get());
    CHECK(*count(*database) == 1);
}

TEST_CASE("a write the system refuses is an error, and the store recovers") {
    const ScratchDirectory scratch;
    const auto database = open_or_die(scratch.path());
    REQUIRE(put(*database, "one"));
    {
        const FileSizeLimit limit{200'000};
        const Status refused = put(*database, "too large", std::string(500'000, 'x'));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::unavailable);
    }
    REQUIRE(put(*database, "two"));
    CHECK(*count(*database) == 2);
    CHECK(check(*database)->sound());
}

TEST_CASE("a deleted database is noticed, never called durable, and replaced without a restart") {
    const ScratchDirectory scratch;
    const auto database = open_or_die(scratch.path());
    REQUIRE(put(*database, "one"));
    const fs::path file = scratch.path() / "hive.db";

    SUBCASE("moved away and back") {
        fs::rename(file, scratch.path() / "aside");
        const Status refused = put(*database, "two");
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::unavailable);
        CHECK(says(refused.error(), "is gone; put it back"));
        CHECK_FALSE(count(*database));
        fs::rename(scratch.path() / "aside", file);
        REQUIRE(put(*database, "two"));
        CHECK(*count(*database) == 2);
    }
    SUBCASE("deleted, then another put in its place") {
        const ScratchDirectory elsewhere;
        {
            const auto other = open_or_die(elsewhere.path());
            for (const char* name : {"a", "b", "c"}) REQUIRE(put(*other, name));
        }
        fs::remove(file);
        REQUIRE_FALSE(put(*database, "two"));
        fs::copy_file(elsewhere.path() / "hive.db", file);
        CHECK(*count(*database) == 3);
        REQUIRE(put(*database, "two"));
        CHECK(*count(*database) == 4);
        CHECK(check(*database)->sound());
    }
}

TEST_CASE("a damaged page is found by the check") {
    const ScratchDirectory scratch;
    {
        const auto database = open_or_die(scratch.path());
        for (int i = 0; i < 300; ++i) REQUIRE(put(*database, "n" + std::to_string(i)));
    }
    {
        std::fstream file{
            scratch.path() / "hive.db", std::ios::in | std::ios::out | std::ios::binary};
        // The last page: rows that were just put in, not the schema: without it nothing opens.
        const auto last =
            static_cast<std::streamoff>(fs::file_size(scratch.path() / "hive.db") - 4096);
        file.seekp(last);
        file << std::string(4096, '\xa5');
    }
    const auto database = open(scratch.path());
    REQUIRE(database);
    const auto report = check(**database);
    const bool found = !report || !report->sound();
    CHECK(found);
}
