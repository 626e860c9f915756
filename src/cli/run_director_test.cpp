#include "cli/run_director.hpp"
#include "tests/support/seen_swarm.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

using namespace hive;
using namespace hive::cli;
using namespace std::chrono_literals;

namespace {

void interrupt() {
    ::kill(::getpid(), SIGINT); // blocked everywhere, so it waits for whoever listens
}

// A swarm that has made a hundred calls and rests, on a stage where things go wrong.
class PoorStage final : public run::Stage {
public:
    bool never_starts = false;
    bool never_goes = false; // is not removed
    bool last_look_fails = false;
    bool one_is_silent = false;
    int interrupts_in_start = 0;
    int interrupts_in_removal = 0;
    Status refused{};
    Status removal{};
    bool removed = false;

    Status create(const json::object&, const json::object&) override { return refused; }
    Status start() override {
        for (int i = 0; i < interrupts_in_start; ++i) interrupt();
        if (!never_starts) return {};
        return wait_while(run::Patience::full);
    }
    Status hold(bool hold) override {
        held_ = hold;
        return {};
    }
    Result<run::Sight> look() override {
        ++looks_;
        if (last_look_fails && looks_ > 3) return fail(Errc::unavailable, "the broker is away");
        tests::SeenSwarm seen{.sent = 100, .out_of_data = true};
        for (int i = 0; i < 100; ++i) seen.latency.record(1ms);
        run::Sight sight = seen.at(1s + looks_ * 20ms);
        if (one_is_silent && looks_ > 3) sight.silent = {"run-postprocessor-1"};
        return sight;
    }
    std::string trouble() override { return {}; }
    Status remove() override {
        for (int i = 0; i < interrupts_in_removal; ++i) interrupt();
        if (never_goes) return wait_while(run::Patience::removal);
        removed = true;
        return removal;
    }
    void hurry(run::Patience left) override {
        const std::lock_guard lock{mutex_};
        patience_ = std::max(patience_, left);
        changed_.notify_all();
    }

private:
    Status wait_while(run::Patience most) {
        std::unique_lock lock{mutex_};
        const bool hurried = changed_.wait_for(lock, 60s, [&] { return patience_ > most; });
        return fail(Errc::unavailable, hurried ? "interrupted" : "the swarm did not answer");
    }

    std::mutex mutex_{};
    std::condition_variable changed_{};
    run::Patience patience_ = run::Patience::full;
    bool held_ = true;
    int looks_ = 0;
};

struct Directed {
    PoorStage stage{};
    SignalWait signals{};
    VirtualClock clock{};
    bool left = false;
    bool in_haste = false;

    Result<report::Run> run() {
        Director director{
            {.stage = stage,
             .signals = signals,
             .clock = clock,
             .show = [](const report::Run&) {},
             .leave = [this] { left = true; }}};
        auto run = director.direct({.scenario = "x", .swarm = "run"});
        in_haste = director.in_haste();
        return run;
    }
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace

TEST_SUITE("run director") {
    TEST_CASE("a run that ends well is removed and passes") {
        Directed directed;
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::passed);
        CHECK(run->summary.requests.total == 100);
        CHECK(directed.stage.removed);
    }

    TEST_CASE("a last look that fails makes the run a broken one, with what was seen before") {
        Directed directed;
        directed.stage.last_look_fails = true;
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::broken);
        CHECK(contains(run->reason, "the broker is away"));
        CHECK(run->summary.requests.total == 100);
        CHECK(directed.stage.removed);
    }

    TEST_CASE("a bee that is silent to the end is named: its last figures are missing") {
        Directed directed;
        directed.stage.one_is_silent = true;
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::broken);
        CHECK(contains(run->reason, "no answer at the end from run-postprocessor-1"));
        CHECK(run->summary.requests.total == 100);
    }

    TEST_CASE("what cannot be removed makes the run a broken one") {
        Directed directed;
        directed.stage.removal = fail(Errc::unavailable, "queues are left");
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::broken);
        CHECK(contains(run->reason, "the swarm could not be removed: queues are left"));
    }

    TEST_CASE("a run that cannot begin says why, and what is left of it") {
        Directed directed;
        directed.stage.refused = fail(Errc::invalid, "no such role");
        directed.stage.removal = fail(Errc::not_found, "no such swarm");
        CHECK(directed.run().error().detail == "no such role");
        Directed messy;
        messy.stage.refused = fail(Errc::unavailable, "a bee has ended");
        messy.stage.removal = fail(Errc::unavailable, "queues are left");
        CHECK(
            messy.run().error().detail ==
            "a bee has ended; and the swarm could not be removed: queues are left");
    }

    TEST_CASE("an interrupt while the swarm starts ends the wait, removes it and reports") {
        Directed directed;
        directed.stage.never_starts = true;
        directed.stage.interrupts_in_start = 1;
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::interrupted);
        CHECK(contains(run->reason, "before the load began"));
        CHECK(directed.stage.removed);
        CHECK(!directed.in_haste);
    }

    TEST_CASE("a second interrupt does not wait for the removal either") {
        Directed directed;
        directed.stage.never_starts = true;
        directed.stage.never_goes = true;
        directed.stage.interrupts_in_start = 1;
        directed.stage.interrupts_in_removal = 1;
        const auto run = directed.run();
        REQUIRE(run.has_value());
        CHECK(run->verdict == report::Verdict::interrupted);
        CHECK(contains(run->reason, "could not be removed: interrupted"));
        CHECK(directed.in_haste);
        CHECK(!directed.left); // the stage has let go by itself
    }
}
