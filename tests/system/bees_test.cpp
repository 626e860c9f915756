#include "bus/dead_letter.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/mock_scene.hpp"
#include "tests/system/swarm_scene.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using orchestrator::Phase;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

struct Run {
    json::object scheduler{};
    json::object message{{"path", "/"}};
    json::object processor{};
};

// Generator, moderator, processor and postprocessor in a row.
json::object four_bees(const std::string& url, const Run& run) {
    json::object processor = run.processor;
    if (!processor.contains("baseUrl")) processor["baseUrl"] = url;
    const auto bee = [](std::string_view role, json::object work, json::object config) {
        return json::object{
            {"id", role}, {"role", role}, {"work", std::move(work)}, {"config", std::move(config)}};
    };
    const auto port = [](std::string_view name, std::string_view queue) {
        return json::object{{name, queue}};
    };
    return {
        {"bees",
         json::array{
             bee("generator", {{"out", port("out", "made")}},
                 {{"inputs", {{"scheduler", run.scheduler}}}, {"message", run.message}}),
             bee("moderator", {{"in", port("in", "made")}, {"out", port("out", "calls")}}, {}),
             bee("processor", {{"in", port("in", "calls")}, {"out", port("out", "results")}},
                 processor),
             bee("postprocessor", {{"in", port("in", "results")}}, {})}},
        {"queues", {{"made", {{"maxLength", 1000}}}}}};
}

class Bees {
public:
    explicit Bees(mock::Settings settings = {}) : mock{std::move(settings), log.get()} {}

    std::string url() const {
        return fmt::format("http://127.0.0.1:{}", *mock.server->http_port());
    }
    void start(const Run& run) {
        const auto created = scene.create("alpha", four_bees(url(), run));
        REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
        REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
    }
    // What a bee says of its own work.
    json::object said_by(const std::string& role) {
        return scene.spy().work_of("alpha-" + role + "-1");
    }
    std::uint64_t measured() {
        const auto said = said_by("postprocessor");
        const auto* total = said.if_contains("transactions");
        return total != nullptr ? total->to_number<std::uint64_t>() : 0;
    }
    std::uint64_t arrived() const { return mock.server->record().requests; }
    void finish() {
        CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
        for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
    }
    wire::Scope role(std::string_view name) const {
        return {.swarm = swarm_id("alpha"), .role = Role::parse(name).value()};
    }

    // Who was asked for what, a line each.
    std::string requests() {
        log->flush();
        std::ifstream file{log_path};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    ScratchDirectory directory;
    std::string log_path = (directory.path() / "requests").string();
    std::unique_ptr<mock::RequestLog> log = mock::RequestLog::open(log_path).value();
    hive::test::RunningMock mock;
    SwarmScene scene;
};

double at(const json::object& said, std::string_view what, std::string_view which) {
    return said.at(what).as_object().at(which).to_number<double>();
}

} // namespace

TEST_SUITE("bees in one process") {
    TEST_CASE("a finite run arrives exactly once and is measured as it was") {
        Bees bees;
        bees.start(
            {.scheduler = {{"pacing", "UNLIMITED"}, {"maxMessages", 20'000}},
             .processor = {{"threadCount", 20}, {"result", "BRIEF"}}});
        CHECK(bees.scene.eventually([&] { return bees.measured() == 20'000; }));
        CHECK(bees.arrived() == 20'000);
        const auto said = bees.said_by("postprocessor");
        CHECK(said.at("failed").to_number<int>() == 0);
        CHECK(said.at("byStatus").as_object().at("200").to_number<int>() == 20'000);
        // The end of the data is told once.
        CHECK(bees.scene.eventually(
            [&] { return bees.scene.spy().alerts("io.out-of-data").size() == 1; }));
        bees.finish();
    }

    TEST_CASE("nothing is lost or made twice by stops, starts and changes on the way") {
        Bees bees;
        bees.start(
            {.scheduler = {{"pacing", "UNLIMITED"}, {"maxMessages", 30'000}},
             .processor = {{"threadCount", 5}}});
        for (const int threads : {20, 3, 50}) {
            CHECK(
                bees.scene.configure(bees.role("processor"), {{"threadCount", threads}}).status ==
                OutcomeStatus::applied);
            const json::object bounds{{"inputs", {{"rabbit", {{"prefetch", threads}}}}}};
            CHECK(
                bees.scene.configure(bees.role("moderator"), bounds).status ==
                OutcomeStatus::applied);
            CHECK(bees.scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
            CHECK(bees.scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        }
        CHECK(bees.scene.eventually([&] { return bees.measured() == 30'000; }));
        CHECK(bees.arrived() == 30'000);
        bees.finish();
    }

    TEST_CASE("a request is what its templates say, and the answer travels on") {
        Bees bees;
        bees.start(
            {.scheduler = {{"ratePerSec", 100}, {"maxMessages", 3}},
             .message =
                 {{"method", "POST"},
                  {"path", "/orders/{{ headers['x-ph-seq'] }}"},
                  {"headers", {{"X-Kind", "{{ 'a' | upper }}"}}},
                  {"body", "{\"n\": {{ eval('#randInt(7,7)') }}}"}},
             .processor = {{"threadCount", 1}}});
        CHECK(bees.scene.eventually([&] { return bees.measured() == 3; }));
        const auto requests = bees.requests();
        for (const int n : {1, 2, 3}) {
            CAPTURE(requests);
            CHECK(requests.find(fmt::format("\"/orders/{}\"", n)) != std::string::npos);
        }
        CHECK(requests.find("\"POST\"") != std::string::npos);
        CHECK(requests.find("\"GET\"") == std::string::npos);
        bees.finish();
    }

    TEST_CASE("a call that fails is a result with its class, not a lost item") {
        Bees bees;
        // Nobody listens on port 1.
        bees.start(
            {.scheduler = {{"pacing", "UNLIMITED"}, {"maxMessages", 100}},
             .processor = {{"baseUrl", "http://127.0.0.1:1"}, {"threadCount", 4}}});
        CHECK(bees.scene.eventually([&] { return bees.measured() == 100; }));
        const auto said = bees.said_by("postprocessor");
        CHECK(said.at("failed").to_number<int>() == 100);
        CHECK(said.at("byStatus").as_object().at("refused").to_number<int>() == 100);
        bees.finish();
    }

    TEST_CASE("latency counts from when a call was due, also while the system stands still") {
        // Half a second into the run everything stops for a second: what was due meanwhile waits.
        Bees bees{{.stalls = {{.at = 1500ms, .lasts = 1s}}}};
        bees.start(
            {.scheduler = {{"ratePerSec", 500}, {"maxMessages", 2000}},
             .processor = {{"threadCount", 10}, {"result", "BRIEF"}}});
        CHECK(bees.scene.eventually([&] { return bees.measured() == 2000; }));
        const auto said = bees.said_by("postprocessor");
        // Of 2,000 calls about 500 were due in that second, the slowest tenth of all above 600 ms.
        // Whoever counts from the sending sees ten of them.
        CHECK(at(said, "latencyFromDueUs", "p90") > 350'000);
        CHECK(at(said, "latencyFromDueUs", "p90") < 950'000);
        CHECK(at(said, "latencyUs", "p90") < 200'000);
        bees.finish();
    }

    TEST_CASE("a moderator stops at rate 0, says so, and goes on with a pattern") {
        Bees bees;
        bees.start({.scheduler = {{"ratePerSec", 0}}, .processor = {{"threadCount", 5}}});
        const auto moderate = [&](const json::object& mode) {
            const auto done = bees.scene.configure(bees.role("moderator"), {{"mode", mode}});
            CHECK_MESSAGE(done.status == OutcomeStatus::applied, done.reason);
        };
        moderate({{"type", "rate-per-sec"}, {"ratePerSec", 0}});
        CHECK(
            bees.scene.eventually([&] { return bees.said_by("moderator").contains("throttled"); }));
        const json::object faster{
            {"inputs", {{"scheduler", {{"ratePerSec", 1000}, {"maxMessages", 300}}}}}};
        CHECK(
            bees.scene.configure(bees.role("generator"), faster).status == OutcomeStatus::applied);
        CHECK(bees.scene.eventually(
            [&] { return !bees.scene.spy().alerts("io.out-of-data").empty(); }));
        CHECK(bees.arrived() == 0);
        const json::object segment{
            {"id", "steady"}, {"lasts", "10s"}, {"mode", "ramp"}, {"from", 1}, {"to", 2}};
        moderate(
            {{"type", "pattern"},
             {"pattern", {{"baseRatePerSec", 500}, {"segments", json::array{segment}}}}});
        CHECK(bees.scene.eventually([&] { return bees.measured() == 300; }));
        // It says so with its next status.
        CHECK(bees.scene.eventually([&] {
            const auto said = bees.said_by("moderator");
            const auto* now = said.if_contains("segment");
            return now != nullptr && *now == "steady" && !said.contains("throttled");
        }));
        bees.finish();
    }

    TEST_CASE("what is no request goes to the dead letters with the reason") {
        Bees bees;
        bees.start({.scheduler = {{"ratePerSec", 0}}});
        bees.scene.send("ph.work.alpha.calls", 3);
        const auto dead = bees.scene.take("ph.work.alpha.calls.dead", 3);
        REQUIRE(dead.size() == 3);
        CHECK(!dead.front().headers.text(bus::error_header).empty());
        CHECK(bees.arrived() == 0);
        bees.finish();
    }

    TEST_CASE("settings that cannot work are refused with their place and the old ones stay") {
        Bees bees;
        bees.start({.scheduler = {{"ratePerSec", 0}}});
        const auto url =
            bees.scene.configure(bees.role("processor"), {{"baseUrl", "ftp://nowhere"}});
        CHECK(url.status == OutcomeStatus::failed);
        CHECK(url.reason.find("config.baseUrl") != std::string::npos);
        const auto text = bees.scene.configure(
            bees.role("generator"), {{"message", {{"body", "{{ nonsense(1) }}"}}}});
        CHECK(text.status == OutcomeStatus::failed);
        CHECK(text.reason.find("config.message.body at 1:") != std::string::npos);
        bees.scene.send("ph.work.alpha.calls", 1); // it still works
        CHECK(bees.scene.take("ph.work.alpha.calls.dead", 1).size() == 1);
        bees.finish();
    }
}
