#include "store/migration.hpp"
#include "store/swarm_tables.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

const HiveId main_hive = HiveId::parse("main").value();
const Timestamp start{1'750'000'000s};

class Swarms {
public:
    Swarms() : home_{make_home()}, database_{home_->open()} { REQUIRE(migrate(*database_)); }

    template <class F>
    auto ask(F ask, const HiveId& hive = main_hive) {
        return read_for(
            *database_, [&](Session& session) { return ask(SwarmTable{session, hive}); });
    }
    template <class F>
    Status tell(F tell, const HiveId& hive = main_hive) {
        return write_and_wait(*database_, {.work = [&](Session& session) -> Status {
            SwarmTable table{session, hive};
            return tell(table);
        }});
    }
    Status save(const SwarmRow& row) {
        return tell([&](SwarmTable& table) { return table.save(row); });
    }
    Status begin(const RunRow& run) {
        return tell([&](SwarmTable& table) { return table.begin_run(run); });
    }
    std::vector<SwarmRow> load(const HiveId& hive = main_hive) {
        return ask([](const SwarmTable& table) { return table.load(); }, hive).value();
    }
    std::optional<RunRow> run(std::string_view id) {
        return ask([&](const SwarmTable& table) { return table.find_run(id); }).value();
    }
    std::vector<std::string> runs(const RunQuery& query) {
        std::vector<std::string> ids;
        const auto found = ask([&](const SwarmTable& table) { return table.runs(query); });
        REQUIRE(found);
        for (const RunRow& run : *found) ids.push_back(run.id);
        return ids;
    }

private:
    std::unique_ptr<Home> home_;
    std::unique_ptr<Database> database_;
};

SwarmRow swarm(std::string id, std::string phase = "Ready") {
    return {
        .id = std::move(id),
        .run = "r1",
        .wish = "stopped",
        .phase = std::move(phase),
        .changed = start,
        .body = R"({"any":"text"})"};
}

RunRow run(std::string id, Timestamp created = start) {
    return {.id = std::move(id), .swarm = "alpha", .created = created, .who = "human:ann"};
}

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("a saved swarm replaces what was there and is loaded by the next life") {
    Swarms swarms;
    REQUIRE(swarms.save(swarm("beta")));
    REQUIRE(swarms.save(swarm("alpha")));
    SwarmRow running = swarm("beta", "Running");
    running.wish = "running";
    running.changed += 1s;
    REQUIRE(swarms.save(running));
    CHECK(swarms.load() == std::vector{swarm("alpha"), running});
    CHECK(swarms.load(HiveId::parse("other").value()).empty());
}

TEST_CASE("only swarms of the phase that have long not changed are forgotten") {
    Swarms swarms;
    REQUIRE(swarms.save(swarm("gone", "Removed")));
    REQUIRE(swarms.save(swarm("lives", "Running")));
    SwarmRow recent = swarm("recent", "Removed");
    recent.changed += 1h;
    REQUIRE(swarms.save(recent));
    REQUIRE(swarms.tell([](SwarmTable& table) -> Status {
        const auto forgotten = table.forget("Removed", start + 1s);
        if (!forgotten) return fail(forgotten.error());
        CHECK(*forgotten == 1);
        return {};
    }));
    CHECK(swarms.load() == std::vector{swarm("lives", "Running"), recent});
}

TEST_CASE("a run begins once and ends once") {
    Swarms swarms;
    RunRow first = run("r1");
    first.labels = {{"ticket", "PH-4"}};
    first.notes = "nightly";
    REQUIRE(swarms.begin(first));
    REQUIRE(swarms.begin(run("r1", start + 5s)));
    CHECK(swarms.run("r1") == first);
    for (const auto when : {start + 1min, start + 2min}) {
        REQUIRE(swarms.tell([&](SwarmTable& table) { return table.end_run("r1", when); }));
    }
    CHECK(swarms.run("r1")->ended == start + 1min);
    CHECK_FALSE(swarms.run("r2"));
}

TEST_CASE("what people say about a run is changed part by part") {
    Swarms swarms;
    REQUIRE(swarms.begin(run("r1")));
    const auto patch = [&](const RunPatch& change) {
        return swarms.tell([&](SwarmTable& table) { return table.patch_run("r1", change); });
    };
    REQUIRE(patch({.labels = json::object{{"a", "b"}}}));
    REQUIRE(patch({.notes = "kept", .pinned = true}));
    const auto found = swarms.run("r1");
    REQUIRE(found);
    CHECK(found->labels == json::object{{"a", "b"}});
    CHECK(found->notes == "kept");
    CHECK(found->pinned);
    const Status missing =
        swarms.tell([](SwarmTable& table) { return table.patch_run("r9", {.pinned = true}); });
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == Errc::not_found);
}

TEST_CASE("runs are listed newest first, page by page, without losing those of one moment") {
    Swarms swarms;
    REQUIRE(swarms.begin(run("a")));
    REQUIRE(swarms.begin(run("b")));
    REQUIRE(swarms.begin(run("c", start + 1s)));
    RunRow other = run("d", start + 2s);
    other.swarm = "beta";
    other.pinned = true;
    REQUIRE(swarms.begin(other));
    CHECK(swarms.runs({}) == Ids{"d", "c", "b", "a"});
    CHECK(swarms.runs({.limit = 2}) == Ids{"d", "c"});
    CHECK(swarms.runs({.before = RunQuery::Position{start + 1s, "c"}}) == Ids{"b", "a"});
    CHECK(swarms.runs({.before = RunQuery::Position{start, "b"}}) == Ids{"a"});
    CHECK(swarms.runs({.swarm = "alpha"}) == Ids{"c", "b", "a"});
    CHECK(swarms.runs({.pinned = true}) == Ids{"d"});
}
