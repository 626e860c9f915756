#include "api/rest/swarm_keeper.hpp"
#include "api/rest/swarm_rider.hpp"
#include "kernel/log_capture.hpp"
#include "loop/loop.hpp"
#include "store/audit_ledger.hpp"
#include "store/migration.hpp"
#include "store/sqlite/open.hpp"
#include "store/swarm_tables.hpp"
#include "store/wait.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <future>
#include <set>

using namespace hive;
using namespace std::chrono_literals;
using orchestrator::Batch;
using orchestrator::JournalEntry;

namespace {

const HiveId main_hive = HiveId::parse("main").value();

// The real store, behind a link that can break before or after a commit.
class ShakyDatabase final : public store::Database {
public:
    explicit ShakyDatabase(store::Database& inner) : inner_{&inner} {}

    Status write(store::Unit unit, store::Done done) override {
        if (refuse > 0 && refuse-- > 0) return fail(Errc::unavailable, "the store is away");
        if (forget > 0 && forget-- > 0) {
            return inner_->write(std::move(unit), [done = std::move(done)](const Status&) {
                done(fail(Errc::unavailable, "it may have been applied"));
            });
        }
        return inner_->write(std::move(unit), std::move(done));
    }
    Status read(store::Unit unit, store::Done done) override {
        return inner_->read(std::move(unit), std::move(done));
    }
    store::Engine engine() const override { return inner_->engine(); }
    Status close(Duration within) override { return inner_->close(within); }

    std::atomic<int> refuse = 0; // so many writes are not taken
    std::atomic<int> forget = 0; // so many are committed and reported lost

private:
    store::Database* inner_;
};

class KeeperUnderTest {
public:
    KeeperUnderTest() {
        REQUIRE(store::migrate(*database));
        open("life-1");
    }
    void open(std::string life) {
        keeper.reset();
        keeper = std::make_unique<rest::SwarmKeeper>(
            rest::KeeperOptions{.life = std::move(life), .retry_first = 1ms},
            rest::KeeperParts{
                .database = shaky,
                .hive = main_hive,
                .clock = clock,
                .loop = loop,
                .log = Logger{log, clock, levels, "test"},
                .announce = [this](const rest::Change::Announcement& told) {
                    const std::lock_guard lock{mutex};
                    topics.push_back(told.topic);
                }});
    }
    std::future<Status> keep(Batch batch) {
        auto promise = std::make_shared<std::promise<Status>>();
        keeper->keep(
            std::move(batch), [promise](Status status) { promise->set_value(std::move(status)); });
        return promise->get_future();
    }
    std::vector<std::string> types() {
        std::vector<std::string> found;
        const auto page = store::read_for(*database, [](store::Session& session) {
            return store::JournalTable{session, main_hive}.page({.after = 0, .limit = 1000});
        });
        for (const auto& row : page.value().rows) found.push_back(row.type);
        return found;
    }
    std::vector<std::string> actions() {
        std::vector<std::string> found;
        const auto entries = store::read_for(*database, [](store::Session& session) {
            return store::AuditLedger{session, main_hive}.read(1, 100);
        });
        for (const auto& entry : entries.value()) found.push_back(entry.action);
        return found;
    }

    tests::ScratchDirectory directory;
    std::unique_ptr<store::Database> database =
        std::move(*store::sqlite::open({.directory = directory.path()}));
    ShakyDatabase shaky{*database};
    SystemClock clock;
    LogCapture log;
    LogLevels levels;
    loop::Loop loop{2};
    std::mutex mutex;
    std::vector<std::string> topics;
    std::unique_ptr<rest::SwarmKeeper> keeper;
};

Batch entry(std::string type) {
    return {.entries = {{.swarm = "alpha", .run = "r1", .kind = "transition", .type = type}}};
}

orchestrator::Swarm swarm(orchestrator::Phase phase = orchestrator::Phase::creating) {
    return {
        .id = SwarmId::parse("alpha").value(),
        .marshal = InstanceId::parse("alpha-marshal").value(),
        .text = {{"bees", json::array{}}},
        .run = "r1",
        .phase = phase,
        .create = {.attempt = {.correlation_id = "c-1"}}};
}

orchestrator::RiderPtr rider(std::string action) {
    auto made = std::make_shared<rest::SwarmRider>();
    made->cause = {.actor = "human:ann", .request_id = "req-1", .correlation_id = "c-1"};
    made->happenings.push_back({std::move(action), "swarm", "alpha", {}});
    made->run = store::RunRow{.id = "r1", .swarm = "alpha", .who = "human:ann", .notes = "mine"};
    return made;
}

template <class T>
T soon(std::future<T> future) {
    REQUIRE(future.wait_for(30s) == std::future_status::ready);
    return future.get();
}

} // namespace

TEST_CASE("a wish, its history and who asked are kept together and there for the next life") {
    KeeperUnderTest scene;
    Batch batch = entry("swarm-create");
    batch.swarms.push_back(swarm());
    batch.riders.push_back(rider("swarm.created"));
    REQUIRE(soon(scene.keep(std::move(batch))));
    CHECK(scene.types() == std::vector<std::string>{"swarm-create"});
    CHECK(scene.actions() == std::vector<std::string>{"swarm.created"});
    CHECK(scene.topics == std::vector<std::string>{"swarm.created"});

    scene.open("life-2");
    const auto loaded = scene.keeper->load();
    REQUIRE(loaded);
    REQUIRE(loaded->swarms.size() == 1);
    CHECK(loaded->swarms.front().run == "r1");
    CHECK(loaded->swarms.front().create.attempt.correlation_id == "c-1");

    REQUIRE(soon(scene.keep({.swarms = {swarm(orchestrator::Phase::removed)}})));
    const auto run = store::read_for(*scene.database, [](store::Session& session) {
        return store::SwarmTable{session, main_hive}.find_run("r1");
    });
    REQUIRE(run.value());
    CHECK((*run)->notes == "mine");
    CHECK((*run)->ended);
    REQUIRE(soon(scene.keep({.forgotten = {swarm().id}})));
    CHECK(scene.keeper->load()->swarms.empty());
}

TEST_CASE("what was asked is there for the next life until it has ended") {
    KeeperUnderTest scene;
    const wire::Scope bee{
        swarm().id, Role::parse("echo").value(), InstanceId::parse("alpha-echo-1").value()};
    const auto ask = [&](const std::string& id, Timestamp at) {
        return orchestrator::AskRecord{{id, id + "-key"},
                                       wire::Command::config_update,
                                       swarm().id,
                                       "ann",
                                       at,
                                       {{"rate", 5}},
                                       {bee}};
    };
    REQUIRE(
        soon(scene.keep({.asks = {ask("second", Timestamp{2s}), ask("first", Timestamp{1s})}})));
    scene.open("life-2");
    const auto open = scene.keeper->load()->open;
    REQUIRE(open.size() == 2);
    CHECK(open[0].attempt.correlation_id == "first");
    CHECK(open[0].attempt.idempotency_key == "first-key");
    CHECK(open[0].who == "ann");
    CHECK(open[0].patch == json::object{{"rate", 5}});
    CHECK(open[0].targets == std::vector{bee});

    const orchestrator::Ended ended{
        .asked = {"first", "first-key"},
        .swarm = swarm().id,
        .command = wire::Command::config_update,
        .status = wire::OutcomeStatus::applied};
    REQUIRE(soon(scene.keep({.endings = {ended}})));
    REQUIRE(scene.keeper->load()->open.size() == 1);
    CHECK(scene.keeper->load()->open[0].attempt.correlation_id == "second");
}

TEST_CASE("an outage delays batches and changes neither their order nor their number") {
    KeeperUnderTest scene;
    scene.shaky.refuse = 5;
    scene.shaky.forget = 2;
    std::vector<std::future<Status>> kept;
    std::vector<std::string> expected;
    for (int i = 0; i < 300; ++i) {
        expected.push_back(fmt::format("t{}", i));
        Batch batch = entry(expected.back());
        if (i % 100 == 0) batch.riders.push_back(rider(fmt::format("swarm.step{}", i)));
        kept.push_back(scene.keep(std::move(batch)));
    }
    for (auto& one : kept) CHECK(soon(std::move(one)));
    CHECK(scene.types() == expected);
    CHECK(
        scene.actions() ==
        std::vector<std::string>{"swarm.step0", "swarm.step100", "swarm.step200"});
    std::size_t warnings = 0;
    for (const auto& line : scene.log.lines()) {
        if (line.find("cannot be kept") != line.npos) ++warnings;
    }
    CHECK(warnings == 1);
}

TEST_CASE("a batch that the store refuses for what it holds fails alone") {
    KeeperUnderTest scene;
    scene.shaky.refuse = 1; // so that all of them wait and are tried together
    auto first = scene.keep(entry("first"));
    auto bad_batch = entry("bad");
    bad_batch.riders.push_back(rider("")); // no audit entry is without an action
    auto bad = scene.keep(std::move(bad_batch));
    auto last = scene.keep(entry("last"));
    CHECK(soon(std::move(first)));
    const Status refused = soon(std::move(bad));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::invalid);
    CHECK(soon(std::move(last)));
    CHECK(scene.types() == std::vector<std::string>{"first", "last"});
}

TEST_CASE("words that no column can hold do not stop the journal") {
    KeeperUnderTest scene;
    Batch batch = entry(std::string{"a\0b", 3});
    batch.entries.front().correlation_id = std::string(5000, 'x');
    batch.entries.front().data = {{"large", std::string(100'000, 'y')}};
    CHECK(soon(scene.keep(std::move(batch))));
    CHECK(scene.types().size() == 1);
}

TEST_CASE("what waits when the keeper goes is told so") {
    KeeperUnderTest scene;
    scene.shaky.refuse = 1'000'000;
    auto waits = scene.keep(entry("never"));
    scene.keeper.reset();
    const Status told = soon(std::move(waits));
    REQUIRE_FALSE(told);
    CHECK(told.error().code == Errc::closed);
}
