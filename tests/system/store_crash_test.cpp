#include "audit/ledger_verifier.hpp"
#include "kernel/random.hpp"
#include "store/audit_ledger.hpp"
#include "store/check.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/places.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

extern char** environ;

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

using Numbers = std::set<std::int64_t>;

// The writing program; what it prints is read here.
class CrashWriter {
public:
    CrashWriter(std::string engine, std::string where, std::int64_t first) {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        posix_spawn_file_actions_t actions{};
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        std::array<std::string, 4> words{
            hive::tests::in_build("tests/store_crash_writer"), std::move(engine), std::move(where),
            std::to_string(first)};
        std::array<char*, 5> argv{
            words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
        const int error = ::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        output_ = ends[0];
        REQUIRE(error == 0);
    }
    ~CrashWriter() {
        kill();
        ::close(output_);
    }
    CrashWriter(const CrashWriter&) = delete;
    CrashWriter& operator=(const CrashWriter&) = delete;

    void kill() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }

    // Takes in what it says until so many units are acknowledged in all, or until it is dead.
    void read(std::size_t units) {
        std::array<char, 65536> chunk{};
        while (acknowledged.size() < units) {
            pollfd readable{.fd = output_, .events = POLLIN, .revents = 0};
            REQUIRE_MESSAGE(::poll(&readable, 1, 60'000) == 1, "the writer is silent");
            const auto size = ::read(output_, chunk.data(), chunk.size());
            if (size <= 0) return;
            text_.append(chunk.data(), static_cast<std::size_t>(size));
            take_lines();
        }
    }

    Numbers acknowledged; // it was told that these are durable
    Numbers refused;      // and that of these nothing was applied

private:
    // A line that the kill cut short stays where it is: it was not told.
    void take_lines() {
        constexpr std::string_view failed = "failed ";
        std::size_t start = 0;
        for (auto end = text_.find('\n'); end != text_.npos; end = text_.find('\n', start)) {
            std::string_view line = std::string_view{text_}.substr(start, end - start);
            start = end + 1;
            const bool refusal = line.starts_with(failed);
            const bool certain = line.find("nothing was applied") != line.npos;
            if (refusal) line.remove_prefix(failed.size());
            std::int64_t number = -1;
            std::from_chars(line.data(), line.data() + line.size(), number);
            REQUIRE_MESSAGE(number >= 0, std::string{line});
            if (!refusal) acknowledged.insert(number);
            if (refusal && certain) refused.insert(number);
        }
        text_.erase(0, start);
    }

    pid_t pid_ = -1;
    int output_ = -1;
    std::string text_;
};

// Every number with its two halves; a half alone is reported as a failure.
Numbers stored(Database& database) {
    std::array<Numbers, 2> halves;
    REQUIRE(read_and_wait(
        database, {.work = [&](Session& session) -> Status {
                       for (auto& half : halves) half.clear();
                       return session.query(
                           "SELECT hive, changed FROM settings", {}, [&](const Row& row) {
                               halves[row.text(0) == "left" ? 0 : 1].insert(row.integer(1));
                           });
                   },
                   .within = 60s}));
    CHECK(halves[0] == halves[1]);
    return halves[0];
}

// The numbers of a log that must be whole, each recorded once.
Numbers recorded(Database& database) {
    Numbers numbers;
    REQUIRE(read_and_wait(
        database, {.work = [&](Session& session) -> Status {
                       const AuditLedger ledger{session, HiveId::parse("main").value()};
                       const auto report = audit::verify_ledger(ledger, {});
                       if (!report) return fail(report.error());
                       CHECK_MESSAGE(report->good(), (report->fault ? report->fault->reason : ""));
                       numbers.clear();
                       std::uint64_t entries = 0;
                       const Status read = session.query(
                           "SELECT entity_id FROM audit_log", {}, [&](const Row& row) {
                               ++entries;
                               numbers.insert(std::stoll(std::string{row.text(0)}));
                           });
                       CHECK(entries == report->entries);
                       CHECK(entries == numbers.size());
                       return read;
                   },
                   .within = 60s}));
    return numbers;
}

// Everything that was acknowledged is there, and nothing that was refused, with an entry each.
void check_contents(Database& database, const Numbers& acknowledged, const Numbers& refused) {
    const Numbers found = stored(database);
    CHECK(recorded(database) == found);
    CHECK(std::ranges::includes(found, acknowledged));
    Numbers undone;
    std::ranges::set_intersection(found, refused, std::inserter(undone, undone.end()));
    CHECK(undone.empty());
    const auto report = check(database);
    REQUIRE(report);
    CHECK(report->sound());
}

// Starts the writer, kills it at a random moment, looks, again and again.
template <class Open>
void kill_many_times(const std::string& engine, const std::string& where, int rounds, Open open) {
    auto random = Random::from_entropy();
    Numbers acknowledged;
    for (int round = 0; round < rounds; ++round) {
        const std::int64_t first = acknowledged.empty() ? 0 : *acknowledged.rbegin() + 1'000;
        CrashWriter writer{engine, where, first};
        writer.read(1 + random.below(2'000));
        writer.kill();
        writer.read(SIZE_MAX);
        CHECK(writer.refused.empty());
        acknowledged.merge(writer.acknowledged);
        auto database = open();
        REQUIRE_MESSAGE(database, (database ? "" : database.error().detail));
        check_contents(**database, acknowledged, {});
    }
    MESSAGE("acknowledged units over ", rounds, " kills: ", acknowledged.size());
    CHECK(acknowledged.size() > static_cast<std::size_t>(rounds));
}

} // namespace

TEST_CASE("SQLite: whatever was acknowledged survives kill -9 of the writer, whole") {
    const ScratchDirectory scratch;
    kill_many_times(
        "sqlite", scratch.path(), 25, [&] { return sqlite::open({.directory = scratch.path()}); });
}

TEST_CASE("PostgreSQL: whatever was acknowledged survives kill -9 of the writer, whole") {
    PostgresServer server;
    const std::string url = server.create_database();
    kill_many_times("postgres", url, 12, [&] { return postgres::open({.url = url}); });
}

TEST_CASE("PostgreSQL: a server killed and restarted under load loses nothing it acknowledged") {
    constexpr int rounds = 4;
    PostgresServer server;
    const std::string url = server.create_database();
    auto random = Random::from_entropy();
    CrashWriter writer{"postgres", url, 0};
    std::size_t seen = 0;
    for (int round = 0; round < rounds; ++round) {
        seen += 200 + random.below(500);
        writer.read(seen);
        if (round % 2 == 0) {
            server.kill();
        } else {
            server.stop();
        }
        server.start();
    }
    writer.read(seen + 200); // it went on by itself
    writer.kill();
    writer.read(SIZE_MAX);
    auto database = postgres::open({.url = url});
    REQUIRE_MESSAGE(database, (database ? "" : database.error().detail));
    check_contents(**database, writer.acknowledged, writer.refused);
    MESSAGE("acknowledged units over ", rounds, " restarts: ", writer.acknowledged.size());
}
