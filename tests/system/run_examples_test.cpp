#include "tests/support/places.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/system/run_scene.hpp"

#include <filesystem>
#include <set>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

using Args = std::vector<std::string>;

std::string folder_of(const std::string& name) {
    return fmt::format("{}/scenarios/{}", hive::tests::in_source(""), name);
}

// An example, the mock that its first lines ask for, and what makes it shorter here.
struct Example {
    std::string name{};
    mock::Settings mock{};
    Args shorter{};
};

std::string rate(std::string_view bee, int per_sec) {
    return fmt::format("{}.inputs.scheduler.ratePerSec={}", bee, per_sec);
}

std::vector<Example> examples() {
    using mock::Delay;
    return {
        {"hello",
         {},
         {"--set", rate("generator", 200), "--set", "generator.inputs.scheduler.maxMessages=200"}},
        {"ramp-to-knee",
         {.usual = {.delay = Delay{.first = 10ms}}, .capacity = 3},
         {"--duration", "3s"}},
        {"spike", {.usual = {.delay = Delay{.first = 5ms}}}, {}},
        {"csv-users", {}, {"--set", "users.inputs.csv.ratePerSec=200"}},
        {"tcp-length-prefix",
         {.tcp = {{.port = 0, .framing = mock::Framing::length_2}}},
         {"--set", rate("generator", 200)}},
        {"two-generators",
         {},
         {"--set", rate("people", 80), "--set", rate("robots", 200), "--set",
          "moderator.mode.ratePerSec=140"}},
        {"error-injection",
         {.usual = {.error_ratio = {0.05}, .error_status = 503}},
         {"--set", rate("generator", 400)}},
        {"buffer-guard", {}, {"--duration", "4s"}},
        {"backpressure", {}, {"--drain", "60s"}},
        {"shared-queue", {}, {"--duration", "7s"}},
        {"thresholds-in-ci",
         {.usual = {.delay = Delay{.first = 5ms}}},
         {"--set", rate("generator", 200)}}};
}

std::string address_of(const RunScene& scene) {
    const auto& tcp = scene.mock.server->tcp();
    return tcp.empty() ? scene.url("") : fmt::format("tcp://127.0.0.1:{}", tcp.front().port);
}

// Runs to its end with every threshold kept, and the figures are those of the mock.
telemetry::Summary check_run(const RunScene& scene, const std::string& name, const Args& more) {
    Args args{folder_of(name), "--endpoint", "default=" + address_of(scene), "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const auto done = scene.run(std::move(args));
    REQUIRE_MESSAGE(done.exit_code <= 1, done.err, done.out);
    auto summary = RunScene::summary_of(done);
    // How fast this machine is at the moment is not what is tested here.
    for (const auto& judged : summary.thresholds) {
        const bool of_time = judged.expr.starts_with('p') || judged.expr.starts_with("from_due") ||
                             judged.expr.starts_with("rate");
        CHECK_MESSAGE((judged.ok || of_time), judged.expr);
    }
    const mock::Record seen = scene.mock.server->record();
    CHECK(summary.requests.total > 0);
    CHECK(summary.requests.total == seen.requests);
    CHECK(summary.requests.total == summary.load.sent);
    CHECK(!summary.thresholds.empty());
    return summary;
}

} // namespace

TEST_SUITE("examples") {
    TEST_CASE("each runs against the mock it asks for, and every call is counted") {
        for (const Example& example : examples()) {
            CAPTURE(example.name);
            const RunScene scene{example.mock};
            check_run(scene, example.name, example.shorter);
        }
    }

    TEST_CASE("accounts go around in Redis, and all are there again afterwards") {
        const tests::RedisServer redis;
        redis.ask(
            {"RPUSH", "ph:example:accounts", R"({"account":"A1"})", R"({"account":"A2"})",
             R"({"account":"A3"})"});
        const RunScene scene;
        const auto summary = check_run(
            scene, "redis-loop",
            {"--set", fmt::format("accounts.inputs.redis.port={}", redis.port()), "--set",
             fmt::format("processor.interceptors.redisUploader.port={}", redis.port())});
        CHECK(summary.requests.total > 3); // each more than once
        CHECK(redis.ask({"LLEN", "ph:example:accounts"}) == "3");
    }

    TEST_CASE("each call of a shop has its own line") {
        const RunScene scene;
        const auto summary = check_run(scene, "multi-step", {"--set", rate("visitors", 200)});
        CHECK(summary.calls.size() == 3);
    }

    TEST_CASE("each is known here, and nothing is to be said about it") {
        std::set<std::string> known{"redis-loop", "multi-step"};
        for (const Example& example : examples()) known.insert(example.name);
        std::set<std::string> there;
        for (const auto& entry : std::filesystem::directory_iterator{folder_of("")}) {
            if (!entry.is_directory()) continue;
            there.insert(entry.path().filename().string());
            const auto said = tests::run_hive({"scenario", "validate", entry.path().string()});
            CHECK_MESSAGE(said.out.find("0 errors, 0 warnings") != std::string::npos, said.out);
        }
        CHECK(there == known);
    }
}
