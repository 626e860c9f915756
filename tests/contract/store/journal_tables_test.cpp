#include "store/journal_tables.hpp"
#include "store/migration.hpp"
#include "store/swarm_tables.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

const HiveId main_hive = HiveId::parse("main").value();
const Timestamp start{1'750'000'000s};

using Sequences = std::vector<std::uint64_t>;

class Journal {
public:
    Journal() : home_{make_home()}, database_{home_->open()} { REQUIRE(migrate(*database_)); }

    bool append(std::vector<JournalRow> rows, const HiveId& hive = main_hive) {
        return append_as(fmt::format("batch-{}", ++batches_), std::move(rows), hive);
    }
    bool append_as(
        const std::string& batch, std::vector<JournalRow> rows, const HiveId& hive = main_hive) {
        const auto added = write_for(*database_, [&](Session& session) {
            return JournalTable{session, hive}.append(rows, batch);
        });
        REQUIRE(added);
        return *added;
    }
    JournalPage page(const JournalQuery& query, const HiveId& hive = main_hive) {
        auto found = read_for(
            *database_, [&](Session& session) { return JournalTable{session, hive}.page(query); });
        REQUIRE(found);
        return std::move(*found);
    }
    Sequences sequences(const JournalQuery& query) {
        Sequences found;
        for (const JournalRow& row : page(query).rows) found.push_back(row.sequence);
        return found;
    }
    JournalSweep sweep(const JournalRetention& retention, Timestamp now) {
        const auto swept = write_for(*database_, [&](Session& session) {
            return JournalTable{session, main_hive}.sweep(retention, now);
        });
        REQUIRE(swept);
        return *swept;
    }
    std::uint64_t last() {
        return read_for(
                   *database_,
                   [&](Session& session) { return JournalTable{session, main_hive}.last(); })
            .value();
    }
    void run(std::string id, std::optional<Timestamp> ended, bool pinned = false) {
        REQUIRE(write_and_wait(*database_, {.work = [&](Session& session) -> Status {
            return SwarmTable{session, main_hive}.begin_run(
                {.id = id, .swarm = "alpha", .created = start, .ended = ended, .pinned = pinned});
        }}));
    }
    std::vector<std::string> runs() {
        auto found = read_for(
            *database_, [&](Session& session) { return SwarmTable{session, main_hive}.runs({}); });
        std::vector<std::string> ids;
        for (const RunRow& row : found.value()) ids.push_back(row.id);
        return ids;
    }

private:
    std::unique_ptr<Home> home_;
    std::unique_ptr<Database> database_;
    int batches_ = 0;
};

JournalRow line(std::string swarm = "alpha", std::string run = "r1") {
    return {
        .swarm = std::move(swarm),
        .run = std::move(run),
        .time = start,
        .kind = "transition",
        .type = "Running",
        .origin = "orchestrator:queen",
        .data = R"({"why":"asked"})"};
}

std::vector<JournalRow> lines(std::size_t count, const std::string& run) {
    return std::vector<JournalRow>(count, line("alpha", run));
}

} // namespace

TEST_CASE("what is appended comes back as it was, newest first, with numbers without gaps") {
    Journal journal;
    JournalRow bad = line();
    bad.severity = 2;
    bad.correlation_id = "c-1";
    CHECK(journal.append({line(), bad}));
    CHECK(journal.append({line("beta", "")}));
    const JournalPage page = journal.page({});
    REQUIRE(page.rows.size() == 3);
    CHECK_FALSE(page.more);
    bad.sequence = 2;
    CHECK(page.rows[1] == bad);
    CHECK(page.rows[0].sequence == 3);
    CHECK(page.rows[0].swarm == "beta");
    CHECK(journal.last() == 3);
}

TEST_CASE("more rows than one statement takes are appended in their order") {
    Journal journal;
    std::vector<JournalRow> many = lines(333, "r1");
    for (std::size_t i = 0; i < many.size(); ++i) many[i].type = fmt::format("t{}", i + 1);
    CHECK(journal.append(many));
    const JournalPage page = journal.page({.after = 0, .limit = 1000});
    REQUIRE(page.rows.size() == 333);
    for (const JournalRow& row : page.rows) CHECK(row.type == fmt::format("t{}", row.sequence));
}

TEST_CASE("a batch whose fate was unknown is appended once however often it is tried") {
    Journal journal;
    CHECK(journal.append_as("life-1", lines(2, "r1")));
    CHECK_FALSE(journal.append_as("life-1", lines(2, "r1")));
    CHECK(journal.append_as("life-2", {}));
    CHECK_FALSE(journal.append_as("life-2", {}));
    CHECK(journal.append_as("life-3", lines(1, "r1")));
    CHECK(journal.sequences({}) == Sequences{3, 2, 1});
}

TEST_CASE("pages follow each other in both directions without loss or repetition") {
    Journal journal;
    CHECK(journal.append(lines(5, "r1")));
    JournalPage page = journal.page({.limit = 2});
    CHECK(page.more);
    CHECK(page.rows.back().sequence == 4);
    CHECK(journal.sequences({.before = 4, .limit = 2}) == Sequences{3, 2});
    page = journal.page({.before = 2, .limit = 2});
    CHECK(page.rows.size() == 1);
    CHECK_FALSE(page.more);
    CHECK(journal.sequences({.after = 3}) == Sequences{4, 5});
    CHECK(journal.sequences({.after = 5}).empty());
}

TEST_CASE("each filter narrows, and together they narrow more") {
    Journal journal;
    JournalRow alert = line("beta", "r2");
    alert.kind = "alert";
    alert.severity = 2;
    alert.correlation_id = "c-7";
    JournalRow warning = line("beta", "r2");
    warning.severity = 1;
    warning.type = "Degraded";
    warning.time = start + 1min;
    CHECK(journal.append({line(), alert, warning}));
    CHECK(journal.sequences({.swarm = "beta"}) == Sequences{3, 2});
    CHECK(journal.sequences({.run = "r1"}) == Sequences{1});
    CHECK(journal.sequences({.kind = "alert"}) == Sequences{2});
    CHECK(journal.sequences({.type = "Degraded"}) == Sequences{3});
    CHECK(journal.sequences({.correlation_id = "c-7"}) == Sequences{2});
    CHECK(journal.sequences({.severity_min = 1}) == Sequences{3, 2});
    CHECK(journal.sequences({.severity_min = 2}) == Sequences{2});
    CHECK(journal.sequences({.since = start + 1min}) == Sequences{3});
    CHECK(journal.sequences({.until = start + 1min}) == Sequences{2, 1});
    CHECK(
        journal.sequences({.swarm = "beta", .severity_min = 1, .until = start + 1s}) ==
        Sequences{2});
    CHECK(journal.page({}, HiveId::parse("other").value()).rows.empty());
}

TEST_CASE("ended runs go by age with their entries; pinned and living ones stay") {
    Journal journal;
    journal.run("living", {});
    journal.run("old", start);
    journal.run("pinned", start, true);
    journal.run("recent", start + 9h);
    for (const char* run : {"living", "old", "pinned", "recent"}) {
        CHECK(journal.append(lines(2, run)));
    }
    const JournalSweep swept = journal.sweep({.run_age = 5h}, start + 10h);
    CHECK(swept.runs == 1);
    CHECK(swept.entries == 2);
    CHECK_FALSE(swept.more);
    CHECK(journal.page({.run = "old"}).rows.empty());
    CHECK(journal.runs() == std::vector<std::string>{"recent", "pinned", "living"});
    CHECK(journal.page({}).rows.size() == 6);
}

TEST_CASE("of young ended runs the newest stay, so many") {
    Journal journal;
    for (int i = 1; i <= 4; ++i) journal.run(fmt::format("r{}", i), start + i * 1s);
    CHECK(journal.sweep({.runs_ended = 2}, start + 1min).runs == 2);
    CHECK(journal.runs() == std::vector<std::string>{"r4", "r3"});
}

TEST_CASE("a long run is cleared out over several passes and goes with its last entry") {
    Journal journal;
    journal.run("long", start);
    CHECK(journal.append(lines(5, "long")));
    const JournalRetention retention{.run_age = 1h, .rows_per_pass = 3};
    JournalSweep swept = journal.sweep(retention, start + 2h);
    CHECK(swept.more);
    CHECK(swept.entries == 3);
    CHECK(swept.runs == 0);
    CHECK(journal.sequences({}) == Sequences{5, 4});
    swept = journal.sweep(retention, start + 2h);
    CHECK(swept.entries == 2);
    CHECK(swept.runs == 1);
}

TEST_CASE("entries of no run are bounded, and a cleared number is not given again") {
    Journal journal;
    CHECK(journal.append(lines(4, "")));
    CHECK(journal.sweep({.entries_without_run = 2}, start).entries == 2);
    CHECK(journal.sequences({}) == Sequences{4, 3});
    CHECK(journal.sweep({.entries_without_run = 0}, start).entries == 2);
    CHECK(journal.append(lines(1, "")));
    CHECK(journal.sequences({}) == Sequences{5});
}
