#include "guard/settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::guard;
using namespace std::chrono_literals;

namespace {

FieldProblems problems(std::string_view text) {
    return problems_of<Settings>(parse_json(text).value().as_object(), "bufferGuard");
}
std::string said(std::string_view text) {
    return to_text(problems(text));
}
bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every key of a guard is read") {
    const auto read = bind<Settings>(parse_json(R"({
        "enabled": true, "queueAlias": "genToMod", "targetDepth": 300, "minDepth": 200,
        "maxDepth": 400, "samplePeriod": "250ms", "movingAverageWindow": 2,
        "adjust": {"strategy": "stepwise", "maxIncreasePct": 20, "maxDecreasePct": 25,
                   "minRatePerSec": 5, "maxRatePerSec": 800, "minInterval": "1s"},
        "prefill": {"enabled": true, "lookahead": "PT30S", "liftPct": 30},
        "backpressure": {"queueAlias": "modToProc", "highDepth": 900, "recoveryDepth": 100,
                         "moderatorReductionPct": 40}})")
                                         .value()
                                         .as_object());
    REQUIRE(read);
    CHECK(read->enabled);
    CHECK(read->queue == "genToMod");
    CHECK(read->target_depth == 300);
    CHECK(read->min_depth == 200);
    CHECK(read->max_depth == 400);
    CHECK(read->sample_period == 250ms);
    CHECK(read->window == 2);
    CHECK(read->adjust.strategy == Strategy::stepwise);
    CHECK(read->adjust.max_increase_pct == 20);
    CHECK(read->adjust.max_decrease_pct == 25);
    CHECK(read->adjust.min_rate == 5);
    CHECK(read->adjust.max_rate == 800);
    CHECK(read->adjust.min_interval == 1s);
    CHECK(read->prefill.enabled);
    CHECK(read->prefill.lookahead == 30s);
    CHECK(read->prefill.lift_pct == 30);
    REQUIRE(read->backpressure);
    CHECK(read->backpressure->queue == "modToProc");
    CHECK(read->backpressure->high_depth == 900);
    CHECK(read->backpressure->recovery_depth == 100);
    CHECK(read->backpressure->moderator_reduction_pct == 40);
}

TEST_CASE("what is left out is as the plan of the guard says, and off") {
    const auto read = bind<Settings>({{"queueAlias", "q"}});
    REQUIRE(read);
    CHECK_FALSE(read->enabled);
    CHECK(read->target_depth == 200);
    CHECK(read->min_depth == 120);
    CHECK(read->max_depth == 280);
    CHECK(read->sample_period == 5s);
    CHECK(read->window == 4);
    CHECK(read->adjust.strategy == Strategy::predictive);
    CHECK(read->adjust.max_increase_pct == 10);
    CHECK(read->adjust.max_decrease_pct == 15);
    CHECK(read->adjust.min_rate == 50);
    CHECK(read->adjust.max_rate == 5000);
    CHECK_FALSE(read->prefill.enabled);
    CHECK_FALSE(read->backpressure);
}

TEST_CASE("what is written says every value and reads back as it was") {
    Settings settings{
        .enabled = true,
        .queue = "q",
        .target_depth = 300,
        .min_depth = 250,
        .max_depth = 400,
        .sample_period = 150ms,
        .window = 7,
        .adjust =
            {.strategy = Strategy::stepwise,
             .max_increase_pct = 12.5,
             .max_decrease_pct = 30,
             .min_rate = 0.25,
             .max_rate = 70,
             .min_interval = 2s},
        .prefill = {.enabled = true, .lookahead = 90s, .lift_pct = 33}};
    CHECK_FALSE(to_json(settings).contains("backpressure"));
    settings.backpressure = Backpressure{
        .queue = "p", .high_depth = 9, .recovery_depth = 3, .moderator_reduction_pct = 2};
    const json::object written = to_json(settings);
    CHECK(written.at("samplePeriod") == "150ms");
    CHECK(written.at("adjust").at("minInterval") == "2s");
    CHECK(written.at("backpressure").at("highDepth") == 9);
    const auto read = bind<Settings>(written);
    REQUIRE_MESSAGE(read, (read ? "" : read.error().detail));
    CHECK(to_json(*read) == written);
}

TEST_CASE("all that is wrong is said at once, each with its place") {
    const std::string all = said(R"({"targetDepth": -1, "samplePeriod": "10ms",
        "movingAverageWindow": 0, "adjust": {"maxIncreasePct": 0.5, "strategy": "steps"},
        "backpressure": {}, "targetDeph": 3})");
    CHECK(has(all, "bufferGuard.queueAlias"));
    CHECK(has(all, "bufferGuard.targetDepth"));
    CHECK(has(all, "bufferGuard.samplePeriod: expected a duration like"));
    CHECK(has(all, "bufferGuard.movingAverageWindow"));
    CHECK(has(all, "bufferGuard.adjust.maxIncreasePct"));
    CHECK(has(all, "bufferGuard.adjust.strategy"));
    CHECK(has(all, "bufferGuard.backpressure.queueAlias"));
    CHECK(has(all, "did you mean 'targetDepth'?"));
}

TEST_CASE("settings that contradict each other are refused") {
    CHECK(
        has(said(R"({"queueAlias":"q","minDepth":280,"maxDepth":120})"),
            "minDepth 280 must be below maxDepth 120"));
    CHECK(
        has(said(R"({"queueAlias":"q","targetDepth":500})"),
            "targetDepth 500 must lie between minDepth 120 and maxDepth 280"));
    CHECK(
        has(said(R"({"queueAlias":"q","targetDepth":10,"minDepth":9,"maxDepth":20})"),
            "at least 2 items from either"));
    CHECK(
        has(said(R"({"queueAlias":"q","adjust":{"minRatePerSec":10,"maxRatePerSec":5}})"),
            "minRatePerSec 10 must not be above maxRatePerSec 5"));
    CHECK(
        has(said(R"({"queueAlias":"q","backpressure":{"queueAlias":"p","highDepth":100}})"),
            "recoveryDepth 300 must be below highDepth 100"));
    CHECK(
        has(said(R"({"queueAlias":"q","backpressure":{"queueAlias":"q"}})"), "a queue further on"));
}

TEST_CASE("the dashboard learns every key with its unit and fallback") {
    const auto all = fields_of<Settings>();
    const auto find = [&](std::string_view path) {
        return std::ranges::find(all, path, &FieldInfo::path);
    };
    REQUIRE(find("adjust.maxRatePerSec") != all.end());
    CHECK(find("adjust.maxRatePerSec")->unit == "1/s");
    CHECK(find("adjust.strategy")->choices == std::vector<std::string>{"predictive", "stepwise"});
    CHECK(find("queueAlias")->live == false);
    CHECK(std::ranges::none_of(all, [](const FieldInfo& each) {
        return each.help.empty() && each.type != "object" && each.path != "backpressure";
    }));
}
