#include "pace/shape_json.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

Result<Shape> read(std::string_view text) {
    return read_shape(*parse_json(text));
}

} // namespace

TEST_CASE("every kind of shape can be written as JSON") {
    CHECK(read(R"({"type":"rate-per-sec","ratePerSec":50})")->rate(1s) == 50);
    const auto wave =
        read(R"({"type":"sine","ratePerSec":0,"sine":{"minRatePerSec":0,"maxRatePerSec":100}})");
    CHECK(wave->rate(15s) == doctest::Approx(100));
    const auto ramp = read(R"({"type":"ramp","ramp":{"from":0,"to":50,"over":"30s"}})");
    CHECK(ramp->rate(15s) == doctest::Approx(25));
    const auto steps = read(R"({"type":"steps","steps":{"after":"repeat","list":[
        {"ratePerSec":5,"lasts":"10s"},{"ratePerSec":1,"lasts":"10s"}]}})");
    CHECK(steps->rate(25s) == 5);
    const auto pattern = read(R"({"type":"pattern","pattern":{"baseRatePerSec":100,"cycle":"1m",
        "normalisation":{"enabled":true},"spikes":[{"at":"1s","width":"1s","liftPct":10}],
        "segments":[
          {"id":"a","share":50,"mode":"ramp","from":0.5,"to":2,
           "mutators":[{"type":"cap","max":1.8},{"type":"noise","pct":10,"seed":3},
                       {"type":"burst","every":"5s","width":"1s","liftPct":50}]},
          {"id":"b","lasts":"20s","mode":"sinus","min":0,"max":1,"period":"5s",
           "transition":"smooth","transitionOver":"2s"},
          {"id":"c","lasts":"10s","mode":"duty","on":"1s","off":"1s"}]}})");
    REQUIRE_MESSAGE(pattern.has_value(), pattern.error().detail);
    CHECK(pattern->cycle_seconds() == doctest::Approx(60));
    CHECK(pattern->cycle_items() == doctest::Approx(6'000).epsilon(0.01));
}

TEST_CASE("a mistake is told with its path") {
    const struct {
        const char* text;
        const char* why;
    } rows[] = {
        {"[]", "mode must be an object"},
        {"{}", "mode.type is missing"},
        {R"({"type":"square"})", "mode.type must be one of rate-per-sec, sine"},
        {R"({"type":"rate-per-sec"})", "mode.ratePerSec is missing"},
        {R"({"type":"rate-per-sec","ratePerSec":"5"})", "mode.ratePerSec must be a number"},
        {R"({"type":"rate-per-sec","ratePerSec":-5})", "the rate is -5"},
        {R"({"type":"sine"})", "mode.sine is missing"},
        {R"({"type":"sine","sine":{"minRatePerSec":1,"maxRatePerSec":2,"perodSeconds":3}})",
         "mode.sine.perodSeconds is unknown; did you mean 'periodSeconds'?"},
        {R"({"type":"sine","sine":{"minRatePerSec":1,"maxRatePerSec":2,"periodSeconds":-3}})",
         "mode.sine.periodSeconds must be from 0"},
        {R"({"type":"ramp","ramp":{"from":1,"to":2,"over":30}})",
         "mode.ramp.over must be a duration"},
        {R"({"type":"steps","steps":{"list":[{"ratePerSec":1,"lasts":"1s"},{"lasts":"1s"}]}})",
         "mode.steps.list[1].ratePerSec is missing"},
        {R"({"type":"steps","steps":{"list":7}})", "mode.steps.list must be a list"},
        {R"({"type":"pattern","pattern":{"baseRatePerSec":1,"segments":[{"mode":"flat"}]}})",
         "mode.pattern.segments[0].lasts and share"},
        {R"({"type":"pattern","pattern":{"baseRatePerSec":1,"cycles":-1,"segments":[]}})",
         "mode.pattern.cycles must be a whole number"},
        {R"({"type":"pattern","pattern":{"baseRatePerSec":1,"segments":[{"mode":"flat",
            "lasts":"1s","mutators":[{"type":"cup"}]}]}})",
         "mode.pattern.segments[0].mutators[0].type must be one of cap, burst, noise"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.text);
        const auto shape = read(row.text);
        REQUIRE_FALSE(shape.has_value());
        CHECK_MESSAGE(
            shape.error().detail.find(row.why) != std::string::npos, shape.error().detail);
    }
    CHECK_FALSE(read_pattern(json::value{1}).has_value());
}
