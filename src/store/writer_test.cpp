#include "store/recording.hpp"
#include "store/writer.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <string>

using namespace hive;
using namespace hive::store;

namespace {

class NoSession final : public Session {
public:
    Result<std::int64_t> execute(std::string_view, Params) override { return 0; }
    Status query(std::string_view, Params, const RowHandler&) override { return {}; }
};

// A connection whose commits end as the test says; writes down what it is asked.
class ScriptedConnection final : public Connection {
public:
    explicit ScriptedConnection(std::string& log) : log_{log} {}

    std::deque<Step> begins;
    std::deque<Step> ends;
    std::deque<Step> commits;

    Step begin() override {
        log_ += "begin ";
        return next(begins);
    }
    Step begin_unit(TimePoint) override {
        log_ += "unit ";
        return {};
    }
    Step end_unit(bool keep) override {
        log_ += keep ? "keep " : "drop ";
        return next(ends);
    }
    Session& session() override { return session_; }
    Step commit() override {
        log_ += "commit ";
        return next(commits);
    }
    void rollback() override { log_ += "rollback "; }
    void idle() override { log_ += "idle "; }

private:
    static Step next(std::deque<Step>& script) {
        if (script.empty()) return {};
        Step step = script.front();
        script.pop_front();
        return step;
    }

    std::string& log_;
    NoSession session_;
};

class WriterUnderTest {
public:
    explicit WriterUnderTest(std::size_t units) {
        for (std::size_t i = 0; i < units; ++i) {
            add([](Session&) -> Status { return {}; });
        }
    }
    void add(Work work) {
        group.push_back({{std::move(work)}, [](const Status&) {}, TimePoint::max(), Status{}});
    }
    void add_recorded() {
        const auto recording = std::make_shared<Recording>(
            Recording{HiveId::parse("main").value(), [](std::span<std::uint8_t>) {}});
        add([recording](Session&) -> Status {
            recording->facts = {{.actor = "human:alice", .action = "task.created"}};
            return {};
        });
        group.back().unit.recording = recording;
    }
    void run() { writer_.commit_group(group); }

    std::string log;
    std::vector<Pending> group;

private:
    std::unique_ptr<ScriptedConnection> owned_ = std::make_unique<ScriptedConnection>(log);
    UnitQueue queue_{1, "writes"};

public:
    ScriptedConnection& connection = *owned_;

private:
    Writer writer_{std::move(owned_), queue_, {.runs_max = 3}};
};

const Error away{Errc::unavailable, "gone"};

} // namespace

TEST_CASE("a group is one transaction with a savepoint for each unit") {
    WriterUnderTest writer{2};
    writer.add([](Session&) -> Status { return fail(Errc::denied, "no"); });
    writer.run();
    CHECK(writer.log == "begin unit keep unit keep unit drop commit ");
    CHECK(writer.group[0].outcome);
    CHECK(writer.group[2].outcome.error().code == Errc::denied);
}

TEST_CASE("a transaction lost without anyone's fault is run again as a whole") {
    WriterUnderTest writer{2};
    writer.connection.commits = {broken(Loss::repeat, away)};
    writer.run();
    CHECK(
        writer.log ==
        "begin unit keep unit keep commit rollback begin unit keep unit keep commit ");
    CHECK(writer.group[0].outcome);
    CHECK(writer.group[1].outcome);
}

TEST_CASE("running again ends after so many times, with the reason") {
    WriterUnderTest writer{1};
    for (int i = 0; i < 9; ++i) writer.connection.commits.push_back(broken(Loss::repeat, away));
    writer.run();
    CHECK(writer.connection.commits.size() == 6);
    CHECK(writer.group[0].outcome.error() == away);
}

TEST_CASE("when one unit may have spoilt the commit, each is tried alone") {
    WriterUnderTest writer{2};
    const Error full{Errc::unavailable, "disk full"};
    writer.connection.commits = {broken(Loss::alone, full), {}, broken(Loss::alone, full)};
    writer.run();
    CHECK(writer.group[0].outcome);
    CHECK(writer.group[1].outcome.error() == full);
}

TEST_CASE("what cannot be recorded undoes its units, tried one by one, and no others") {
    WriterUnderTest writer{1}; // its session has no audit log
    writer.add_recorded();
    writer.run();
    CHECK(
        writer.log == "begin unit keep unit keep unit drop rollback begin unit keep commit "
                      "begin unit keep unit drop rollback ");
    CHECK(writer.group[0].outcome);
    CHECK(writer.group[1].outcome.error().code == Errc::conflict);
}

TEST_CASE("when no unit would fare better, all are told at once") {
    WriterUnderTest writer{3};
    writer.connection.begins = {broken(Loss::everyone, away)};
    writer.run();
    CHECK(writer.log == "begin rollback ");
    for (const auto& pending : writer.group) CHECK(pending.outcome.error() == away);
}

TEST_CASE("an unknown outcome is told to the units it concerns, and nothing is run again") {
    WriterUnderTest writer{1};
    writer.add([](Session&) -> Status { return fail(Errc::denied, "no"); });
    writer.connection.commits = {broken(Loss::unknown, away)};
    writer.run();
    CHECK(writer.log == "begin unit keep unit drop commit rollback ");
    CHECK(writer.group[0].outcome.error() == away);
    CHECK(writer.group[1].outcome.error().code == Errc::denied);
}

TEST_CASE("a unit whose deadline has passed is not run") {
    WriterUnderTest writer{1};
    bool ran = false;
    writer.add([&](Session&) -> Status {
        ran = true;
        return {};
    });
    writer.group[1].deadline = TimePoint{};
    writer.run();
    CHECK_FALSE(ran);
    CHECK(writer.group[1].outcome.error().code == Errc::timeout);
    CHECK(writer.log == "begin unit keep commit ");
}
