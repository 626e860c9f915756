// What a scenario says of its guards is judged by the guard's own rules: whatever validation takes,
// the controller takes.
#include "cli/scenario_catalog.hpp"
#include "controller/guard_post.hpp"
#include "guard/settings.hpp"
#include "scenario/capabilities.hpp"
#include "scenario/schema.hpp"
#include "scenario/validate.hpp"
#include "scenario/wire_plan.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace hive;
using namespace hive::scenario;

namespace {

constexpr std::string_view sound = R"({"enabled":true,"queueAlias":"raw",
    "backpressure":{"queueAlias":"mod"}})";
constexpr std::string_view usual = "{ inputs: { scheduler: { ratePerSec: 50 } } }";

// A pipeline with a generator of this configuration, and these policies. JSON is YAML.
std::string scenario_with(std::string_view policy, std::string_view config = usual) {
    return fmt::format(
        R"(id: guarded
bees:
  - {{ id: gen, role: generator, work: {{ out: {{ out: raw }} }}, config: {} }}
  - {{ id: echo, role: generator, work: {{ in: {{ in: back }}, out: {{ out: mixed, more: raw }} }},
      config: {{ inputs: {{ type: SCHEDULER }} }} }}
  - {{ id: mod, role: moderator, work: {{ in: {{ in: raw }}, out: {{ out: mod }} }} }}
  - {{ id: sink, role: postprocessor,
      work: {{ in: {{ in: mod, mixed: mixed }}, out: {{ out: back }} }} }}
trafficPolicy: {}
)",
        config, policy);
}

json::object patched(std::string_view patch) {
    json::value guard = parse_json(sound).value();
    merge_patch(guard, parse_json(patch).value());
    return guard.as_object();
}

struct Verdict {
    std::vector<Finding> findings{};
    std::string refusal{}; // of the controller; asked only where there is no finding

    bool has(std::string_view code) const {
        return std::ranges::find(findings, code, &Finding::code) != findings.end();
    }
};

bool is_error(const Finding& finding) {
    return finding.severity == Severity::error;
}

Verdict verdict_on(const std::string& text) {
    static const Catalog catalog = cli::scenario_catalog();
    Verdict out;
    const Loaded loaded = load(single_file("scenario.yaml", text));
    std::ranges::copy_if(loaded.findings, std::back_inserter(out.findings), is_error);
    std::ranges::copy_if(validate(loaded, catalog), std::back_inserter(out.findings), is_error);
    if (!out.findings.empty()) return out;
    const auto compiled = compile(loaded.scenario, {}, catalog);
    if (!compiled) {
        out.refusal = compiled.error().detail;
        return out;
    }
    const auto layout = controller::read_template(SwarmId::parse("alpha").value(), compiled->bees);
    REQUIRE_MESSAGE(layout, layout.error().detail);
    const auto guards =
        controller::read_guards(wire_plan(*compiled).at("trafficPolicy").as_object(), *layout);
    if (!guards) out.refusal = guards.error().detail;
    return out;
}

Verdict verdict_on_guard(std::string_view patch, std::string_view config = usual) {
    return verdict_on(
        scenario_with(to_text(json::object{{"bufferGuard", patched(patch)}}), config));
}

} // namespace

TEST_CASE("what validation takes, the controller takes") {
    for (const char* patch : {
             "{}",
             R"({"enabled":false})",
             R"({"targetDepth":122})",
             R"({"targetDepth":278})",
             R"({"targetDepth":2,"minDepth":0,"maxDepth":4})",
             R"({"movingAverageWindow":60,"samplePeriod":"50ms"})",
             R"({"samplePeriod":"1h","prefill":{"enabled":true,"lookahead":"24h","liftPct":1000}})",
             R"({"samplePeriod":250})",
             R"({"targetDepth":"200"})",
             R"({"adjust":{"strategy":"stepwise","minRatePerSec":5,"maxRatePerSec":5}})",
             R"({"backpressure":{"highDepth":1,"recoveryDepth":0,"moderatorReductionPct":90}})",
             R"({"backpressure":null,"adjust":null})",
         }) {
        const Verdict verdict = verdict_on_guard(patch);
        CHECK_MESSAGE(verdict.findings.empty(), patch << "\n" << render(verdict.findings));
        CHECK_MESSAGE(verdict.refusal.empty(), patch << "\n" << verdict.refusal);
    }
    for (const char* config : {
             "{ inputs: { type: SCHEDULER, scheduler: { pacing: SCHEDULED } } }",
             "{ inputs: { type: REDIS_DATASET, redis: { host: h, port: 1, listName: l } } }",
             "{}",
         }) {
        const Verdict verdict = verdict_on_guard("{}", config);
        CHECK_MESSAGE(verdict.findings.empty(), config << "\n" << render(verdict.findings));
        CHECK_MESSAGE(verdict.refusal.empty(), config << "\n" << verdict.refusal);
    }
}

TEST_CASE("a bee with inputs that makes its own items is steered as well") {
    const Verdict verdict = verdict_on(scenario_with(R"({"bufferGuard":{"queueAlias":"mixed"}})"));
    CHECK_MESSAGE(verdict.findings.empty(), render(verdict.findings));
    CHECK_MESSAGE(verdict.refusal.empty(), verdict.refusal);
}

TEST_CASE("what contradicts itself or cannot be steered has its own code") {
    struct Line {
        const char* patch;
        const char* code;
        std::string_view config = usual;
    };
    const std::vector<Line> lines{
        {R"({"targetDepth":121})", "guard-target"},
        {R"({"targetDepth":279})", "guard-target"},
        {R"({"minDepth":280})", "guard-bracket"},
        {R"({"backpressure":{"recoveryDepth":500}})", "guard-bounds"},
        {R"({"backpressure":{"queueAlias":"raw"}})", "guard-alias"},
        {R"({"adjust":{"minRatePerSec":6000}})", "guard-bounds"},
        {R"({"samplePeriod":"49ms"})", "guard-period"},
        {R"({"samplePeriod":"61m"})", "guard-period"},
        {R"({"samplePeriod":"soon"})", "bad-duration"},
        {R"({"adjust":{"minInterval":"2h"}})", "bad-value"},
        {R"({"adjust":7})", "wrong-type"},
        {R"({"targetDepth":[200]})", "wrong-type"},
        {R"({"targetDepht":1})", "unknown-key"},
        {R"({"queueAlias":null})", "missing-key"},
        {R"({"queueAlias":"mod"})", "guard-producer"},
        {R"({"queueAlias":"back"})", "guard-producer"}};
    for (const Line& line : lines) {
        const Verdict verdict = verdict_on_guard(line.patch, line.config);
        CHECK_MESSAGE(verdict.has(line.code), line.patch << "\n" << render(verdict.findings));
    }
    // Only one generator of two can be steered: that is enough. Of none, the reason is said.
    const std::string alone = R"(id: a
bees:
  - { id: gen, role: generator, work: { out: { out: raw } }, config: CONFIG }
  - { id: sink, role: postprocessor, work: { in: { in: raw } } }
trafficPolicy: { bufferGuard: { queueAlias: raw } }
)";
    for (const auto& [config, why] : std::vector<std::pair<std::string, std::string>>{
             {"{ inputs: { scheduler: { pacing: UNLIMITED } } }", "has no rate"},
             {"{ inputs: { scheduler: { shape: { type: rate-per-sec, ratePerSec: 5 } } } }",
              "runs by inputs.scheduler.shape"}}) {
        std::string text = alone;
        text.replace(text.find("CONFIG"), 6, config);
        const Verdict verdict = verdict_on(text);
        REQUIRE(verdict.has("guard-producer"));
        CHECK(render(verdict.findings).find(why) != std::string::npos);
    }
}

TEST_CASE("every field beyond either end of its range is refused at its place") {
    std::size_t tried = 0;
    for (const FieldInfo& field : fields_of<guard::Settings>()) {
        for (const auto& [bound, beyond] :
             {std::pair{field.lowest, -1.0}, std::pair{field.highest, 1.0}}) {
            if (!bound) continue;
            ++tried;
            json::value value = *bound + beyond;
            std::string path = field.path;
            for (auto dot = path.rfind('.'); dot != path.npos; dot = path.rfind('.')) {
                value = json::object{{path.substr(dot + 1), value}};
                path.resize(dot);
            }
            const std::string patch = to_text(json::object{{path, value}});
            const Verdict verdict = verdict_on_guard(patch);
            const auto found = std::ranges::find(verdict.findings, "bad-value", &Finding::code);
            REQUIRE_MESSAGE(found != verdict.findings.end(), patch);
            CHECK(found->key == "trafficPolicy.bufferGuard." + field.path);
            CHECK(found->at.line > 1);
        }
    }
    CHECK(tried >= 20);
}

TEST_CASE("guards that would fight over any of their producers are refused") {
    // `echo` fills both queues; it is not the first that fills `raw`.
    const Verdict verdict = verdict_on(scenario_with(
        R"({"bufferGuards":[{"queueAlias":"raw"},{"queueAlias":"mixed","enabled":true}]})"));
    REQUIRE(verdict.has("guard-conflict"));
    const auto found = std::ranges::find(verdict.findings, "guard-conflict", &Finding::code);
    CHECK(found->message == "the guard of 'raw' steers 'echo' already");
    CHECK(found->key == "trafficPolicy.bufferGuards[1].queueAlias");
}

TEST_CASE("a choice that leaves nobody to steer is told before the swarm is") {
    static const Catalog catalog = cli::scenario_catalog();
    const Loaded loaded = load(single_file("a.yaml", R"(id: a
bees:
  - { id: gen, role: generator, work: { out: { out: raw } } }
  - { id: sink, role: postprocessor, work: { in: { in: raw } } }
trafficPolicy: { bufferGuard: { queueAlias: raw } }
)"));
    const Choices choices{.overrides = {"gen.inputs.scheduler.pacing=UNLIMITED"}};
    CHECK(has_errors(validate(loaded, catalog, choices)));
    const auto compiled = compile(loaded.scenario, choices, catalog);
    REQUIRE_FALSE(compiled);
    CHECK(
        compiled.error().detail ==
        "trafficPolicy.bufferGuard: 'gen' has no rate: inputs.scheduler.pacing UNLIMITED");
}

TEST_CASE("the dashboard learns the settings of a guard with those of the bees") {
    const auto fields = capabilities_of(cli::scenario_catalog()).at("bufferGuard").at("fields");
    const auto& all = fields.as_array();
    CHECK(all.size() == fields_of<guard::Settings>().size());
    const auto found = std::ranges::find_if(
        all, [](const json::value& field) { return field.at("path") == "adjust.maxIncreasePct"; });
    REQUIRE(found != all.end());
    CHECK(found->at("unit") == "%");
    CHECK(found->at("highest") == 1000.0);
}
