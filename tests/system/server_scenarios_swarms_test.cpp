#include "tests/system/server_scenarios_scene.hpp"

using namespace hive;
using namespace hive::test;

namespace {

const std::string with_guard = R"(id: guarded
bees:
  - id: gen
    role: echo
    work: { out: { out: raw } }
    config: { inputs: { type: SCHEDULER, scheduler: { ratePerSec: "{{ vars.rate }}" } } }
  - id: sink
    role: echo
    work: { in: { in: raw } }
plan:
  swarm:
    - { stepId: halt, time: 5s, type: stop }
variables:
  definitions:
    - { name: rate, type: int, required: true }
  profiles: [ { id: low }, { id: high } ]
  values: { global: { low: { rate: 5 }, high: { rate: 50 } } }
)";

Answer order(Scenarios& scene, const std::string& body) {
    return scene.send({.method = "POST", .path = "/swarms", .body = body});
}

const orchestrator::CreateAsked& created(const Scenarios& scene) {
    REQUIRE_FALSE(scene.court.asks.empty());
    return std::get<orchestrator::CreateAsked>(scene.court.asks.front());
}

} // namespace

TEST_CASE("a swarm is made from a stored scenario with the choices of the request") {
    Scenarios scene;
    REQUIRE(scene.create("guarded", with_guard).status == 201);
    const auto made = order(
        scene,
        R"({"id":"alpha","scenario":"guarded","profile":"high","set":{"sink.x":{"y":[1]}}})");
    REQUIRE_MESSAGE(made.status == 202, made.body);
    const auto& asked = created(scene);
    const auto& bees = asked.text.at("bees").as_array();
    CHECK(bees.at(0).at("config").at("inputs").at("scheduler").at("ratePerSec") == 50);
    CHECK(bees.at(1).at("config").at("x").at("y").at(0) == 1);
    CHECK(to_text(asked.plan).find("halt") != std::string::npos);
}

TEST_CASE("nothing becomes a swarm that does not validate") {
    Scenarios scene;
    scene.create("broken", "id: a\nbees:\n  - role: ekho\n  - role: ekho\n");
    const auto refused = order(scene, R"({"id":"alpha","scenario":"broken"})");
    CHECK(refused.status == 422);
    CHECK(code_of(refused) == "invalid-scenario");
    const auto problem = parsed(refused.body);
    CHECK(problem.at("findings").at(0).at("code") == "unknown-role");
    CHECK(problem.at("errors").at(0).at("pointer") == "scenario.yaml:3:11");
    CHECK(code_of(order(scene, R"({"id":"alpha","scenario":"nowhere"})")) == "unknown-scenario");
    CHECK(scene.court.asks.empty());
}

TEST_CASE("what is left open must be chosen, and a template is something else") {
    Scenarios scene;
    scene.create("guarded", with_guard);
    const auto open = order(scene, R"({"id":"alpha","scenario":"guarded"})");
    CHECK(open.status == 400);
    CHECK(open.body.find("choose a profile; there are low, high") != std::string::npos);
    for (const char* body :
         {R"({"id":"alpha"})", R"({"id":"alpha","scenario":"guarded","template":{"bees":[]}})",
          R"({"id":"alpha","template":{"bees":[]},"sut":"a"})",
          R"({"id":"alpha","scenario":"guarded","plan":{}})"}) {
        CAPTURE(body);
        CHECK(order(scene, body).status == 400);
    }
    CHECK(scene.court.asks.empty());
}

TEST_CASE("secrets of the server do not get into scenarios") {
    Scenarios scene;
    scene.create(
        "curious", "id: a\nbees:\n  - role: echo\n    work: { in: { in: raw } }\n"
                   "    config: { token: \"{file:/etc/hostname}\" }\n");
    const auto refused = order(scene, R"({"id":"alpha","scenario":"curious"})");
    CHECK(refused.status == 422);
    CHECK(code_of(refused) == "secret-on-server");
    CHECK(scene.court.asks.empty());
}
