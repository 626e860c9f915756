// The plan of a scenario as the controller gets it: each step for the bees that were meant.
#include "cli/scenario_catalog.hpp"
#include "plan/plan.hpp"
#include "scenario/validate.hpp"
#include "scenario/wire_plan.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::scenario;

namespace {

using Ids = std::vector<std::string>;

// Two generators share a made-up role, and a third is called like their kind.
plan::Plan wired(std::string_view target) {
    const std::string text = fmt::format(
        R"(id: targets
bees:
  - {{ id: people, role: visitors, image: "generator:latest", work: {{ out: {{ out: raw }} }} }}
  - {{ id: robots, role: visitors, image: "generator:latest", work: {{ out: {{ out: raw }} }} }}
  - {{ id: generator, role: others, image: "generator:latest", work: {{ out: {{ out: raw }} }} }}
  - {{ id: sink, role: postprocessor, work: {{ in: {{ in: raw }} }} }}
plan:
  bees:
    - {}
      steps:
        - {{ stepId: faster, time: 1s, config: {{ inputs: {{ scheduler: {{ ratePerSec: 9 }} }} }} }}
)",
        target);
    const Loaded loaded = load(single_file("scenario.yaml", text));
    REQUIRE_MESSAGE(!has_errors(loaded.findings), render(loaded.findings));
    const auto compiled = compile(loaded.scenario, {}, cli::scenario_catalog());
    REQUIRE(compiled);
    auto plan = plan::read_plan(wire_plan(*compiled));
    REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().detail));
    REQUIRE(plan->steps.size() == 1);
    return *std::move(plan);
}

Ids bees_of(std::string_view target) {
    const plan::Plan plan = wired(target);
    CHECK(plan.steps[0].target.role.empty());
    return plan.steps[0].target.bees;
}

} // namespace

TEST_CASE("a bee is meant by its id, even if a kind is called like it") {
    CHECK(bees_of("beeId: generator") == Ids{"generator"});
    CHECK(bees_of("beeId: robots") == Ids{"robots"});
}

TEST_CASE("a role means everybody who has it, in one step") {
    CHECK(bees_of("role: visitors") == Ids{"people", "robots"});
    CHECK(bees_of("role: others") == Ids{"generator"});
}

TEST_CASE("where nobody has the role, it is the name of a bee or a kind") {
    CHECK(bees_of("role: generator") == Ids{"generator"}); // one is called like that
    CHECK(bees_of("role: people") == Ids{"people"});
}

TEST_CASE("a kind means all of it where no bee is called like it") {
    const Loaded loaded = load(single_file("scenario.yaml", R"(id: kinds
bees:
  - { id: a, role: x, image: "generator:latest", work: { out: { out: raw } } }
  - { id: b, role: y, image: "generator:latest", work: { out: { out: raw } } }
  - { id: sink, role: postprocessor, work: { in: { in: raw } } }
plan:
  bees:
    - { role: generator, steps: [ { stepId: off, time: 1s, type: stop } ] }
)"));
    REQUIRE_MESSAGE(!has_errors(loaded.findings), render(loaded.findings));
    const auto compiled = compile(loaded.scenario, {}, cli::scenario_catalog());
    REQUIRE(compiled);
    const auto plan = plan::read_plan(wire_plan(*compiled));
    REQUIRE(plan);
    CHECK(plan->steps[0].target.bees == Ids{"a", "b"});
}

TEST_CASE("an instance and the swarm stay what they are") {
    CHECK(wired("instanceId: generator-2").steps[0].target.instance == "generator-2");
    const Loaded loaded = load(single_file("scenario.yaml", R"(id: swarm
bees:
  - { id: gen, role: generator, work: { out: { out: raw } } }
  - { id: sink, role: postprocessor, work: { in: { in: raw } } }
plan:
  swarm: [ { stepId: rush, time: 1s, type: spike, duration: 1s } ]
)"));
    const auto compiled = compile(loaded.scenario, {}, cli::scenario_catalog());
    REQUIRE(compiled);
    const auto plan = plan::read_plan(wire_plan(*compiled));
    REQUIRE(plan);
    CHECK(plan->steps[0].target.is_swarm());
}

TEST_CASE("a step for bees of several kinds is checked for each of them") {
    const Loaded loaded = load(single_file("scenario.yaml", R"(id: mixed
bees:
  - { id: gen, role: team, image: "generator:latest", work: { out: { out: raw } } }
  - { id: sink, role: team, image: "postprocessor:latest", work: { in: { in: raw } } }
plan:
  bees:
    - { role: team, steps: [ { stepId: s, time: 1s, config: { message: { path: /x } } } ] }
)"));
    const auto findings = validate(loaded, cli::scenario_catalog());
    CHECK_MESSAGE(has_errors(findings), render(findings)); // a postprocessor has no message
}
