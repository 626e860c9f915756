// What a scenario becomes: a template that the controller reads, a plan, guards.
#include "cli/read_file.hpp"
#include "cli/scenario_catalog.hpp"
#include "controller/template.hpp"
#include "scenario/validate.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::scenario;

namespace {

Loaded base() {
    const auto text =
        cli::read_file(hive::tests::in_source("tests/scenario/base.yaml"), std::size_t{1} << 20U);
    REQUIRE(text);
    return load(single_file("base.yaml", *text));
}

const json::object& config_of(const Compiled& compiled, std::size_t bee) {
    return compiled.bees.at("bees").at(bee).at("config").as_object();
}

} // namespace

TEST_CASE("a scenario becomes what its controller reads") {
    const Loaded loaded = base();
    const auto compiled = compile(loaded.scenario, {.sut = "near"}, cli::scenario_catalog());
    REQUIRE_MESSAGE(compiled, compiled.error().detail);
    const auto read = controller::read_template(SwarmId::parse("alpha").value(), compiled->bees);
    REQUIRE_MESSAGE(read, read.error().detail);
    REQUIRE(read->bees.size() == 5);
    CHECK(read->bees[0].instance.text() == "alpha-generator-1");
    CHECK(read->bees[1].instance.text() == "alpha-generator-2");
    CHECK(read->bees[0].restart.max == 3);
    CHECK(read->edges.size() == 2);
    CHECK(read->edges[1].selector.at("expr") == "headers['x'] == 'y'");
    CHECK(read->max_lengths.at(QueueName::parse("raw").value()) == 1000);
    CHECK(compiled->name == "Base");
    CHECK(compiled->thresholds.size() == 2);
}

TEST_CASE("references get their values with their types; templates keep their variables") {
    const Loaded loaded = base();
    const auto compiled =
        compile(loaded.scenario, {.sut = "far", .profile = "busy"}, cli::scenario_catalog());
    REQUIRE(compiled);
    CHECK(config_of(*compiled, 2).at("baseUrl") == "http://10.0.0.9/api");
    CHECK(config_of(*compiled, 2).at("threadCount") == 50);
    const auto& generator = config_of(*compiled, 0);
    CHECK(
        std::string_view{generator.at("message").at("body").as_string()}.find("{{ vars.token }}") !=
        std::string_view::npos);
    CHECK(to_text(generator.at("vars")) == R"({"users":50,"token":"jkl"})");
}

TEST_CASE("what is left open must be chosen, and what is chosen must exist") {
    const Loaded loaded = base();
    const auto open = compile(loaded.scenario);
    REQUIRE_FALSE(open);
    CHECK(open.error().detail == "choose a SUT; there are far, near");
    const auto wrong = compile(loaded.scenario, {.sut = "moon", .profile = "x"});
    REQUIRE_FALSE(wrong);
    CHECK(
        wrong.error().detail == "there is no SUT 'moon'; there is far, near; there is no profile "
                                "'x'; there is default, busy");
}

TEST_CASE("an override sets what is below a bee, and is validated like all else") {
    const Loaded loaded = base();
    Choices choices{
        .sut = "near",
        .overrides = {"generator.inputs.scheduler.ratePerSec=7", "processor.timeoutMs=9"}};
    const auto compiled = compile(loaded.scenario, choices);
    REQUIRE(compiled);
    CHECK(config_of(*compiled, 0).at("inputs").at("scheduler").at("ratePerSec") == 7);
    CHECK(config_of(*compiled, 2).at("timeoutMs") == 9);
    CHECK(validate(loaded, cli::scenario_catalog(), choices).empty());
    choices.overrides = {"processor.timeoutMs=soon"};
    CHECK(has_errors(validate(loaded, cli::scenario_catalog(), choices)));
    choices.overrides = {"nobody.x=1", "generator=1"};
    const auto refused = compile(loaded.scenario, choices);
    REQUIRE_FALSE(refused);
    CHECK(
        refused.error().detail == "override: there is no bee 'nobody'; 'generator' is no override; "
                                  "write <bee>.<setting>=<value>");
}

TEST_CASE("a plan is in order of time and knows the instances that its steps are for") {
    const Loaded loaded = base();
    const auto compiled = compile(loaded.scenario, {.sut = "near"});
    REQUIRE(compiled);
    const Plan& plan = compiled->plan;
    REQUIRE(plan.steps.size() == 5);
    CHECK(plan.runs == 2);
    CHECK(plan.length == std::chrono::minutes{5});
    CHECK(plan.steps[0].id == "faster");
    CHECK(plan.steps[1].ramp->to == 200);
    CHECK(plan.steps[2].id == "rest");
    CHECK(plan.steps[3].type == StepType::spike);
    const auto swarm = SwarmId::parse("alpha").value();
    const auto two = instances_of(plan.steps[0].target, *compiled, swarm);
    REQUIRE(two);
    REQUIRE(two->size() == 2);
    CHECK((*two)[1].text() == "alpha-generator-2");
    const auto one = instances_of(plan.steps[2].target, *compiled, swarm);
    REQUIRE(one);
    CHECK(one->front().text() == "alpha-processor-1");
    CHECK(instances_of(plan.steps[4].target, *compiled, swarm)->empty());
}

TEST_CASE("a guard knows whose rate it steers") {
    const Loaded loaded = base();
    const auto compiled = compile(loaded.scenario, {.sut = "near"});
    REQUIRE(compiled);
    REQUIRE(compiled->guards.size() == 1);
    CHECK(compiled->guards[0].producers == std::vector<std::string>{"generator"});
    CHECK(compiled->guards[0].backpressure->recovery_depth == 300);
}

TEST_CASE("a guard that is off stays, for it can be switched on") {
    Loaded loaded = base();
    loaded.scenario.guards[0].enabled = false;
    const auto compiled = compile(loaded.scenario, {.sut = "near"});
    REQUIRE(compiled);
    REQUIRE(compiled->guards.size() == 1);
    CHECK_FALSE(compiled->guards[0].enabled);
}

TEST_CASE("the example validates without a finding and compiles") {
    const Loaded loaded = load(hive::tests::in_source("scenarios/hello"));
    CHECK_MESSAGE(loaded.findings.empty(), render(loaded.findings));
    const auto more = validate(loaded, cli::scenario_catalog());
    CHECK_MESSAGE(more.empty(), render(more));
    const auto compiled = compile(loaded.scenario, {}, cli::scenario_catalog());
    REQUIRE(compiled);
    CHECK(compiled->sut == "local");
    CHECK(controller::read_template(SwarmId::parse("alpha").value(), compiled->bees));
}

TEST_CASE("secrets stay references until they are asked for") {
    json::value config = {{"password", "{env:WORD}"}, {"list", {"a{env:WORD}b", 1}}};
    SecretSources sources{.env = [](const std::string& name) -> std::optional<std::string> {
        return name == "WORD" ? std::optional<std::string>{"sesame"} : std::nullopt;
    }};
    REQUIRE(resolve_secrets(config, sources));
    CHECK(to_text(config) == R"({"password":"sesame","list":["asesameb",1]})");
    json::value missing = {{"password", "{env:NOBODY}"}};
    CHECK_FALSE(resolve_secrets(missing, sources));
}
