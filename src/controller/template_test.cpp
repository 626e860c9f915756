#include "controller/template.hpp"
#include "controller/topology.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::controller;

namespace {

const SwarmId alpha = SwarmId::parse("alpha").value();

Result<Template> read(std::string_view text) {
    return read_template(alpha, parse_json(text).value().as_object());
}

} // namespace

TEST_CASE("replicas become instances that are numbered within their role") {
    const auto plan = read(R"({"bees": [{"role": "proc", "replicas": 2}, {"role": "proc"}]})");
    REQUIRE(plan);
    REQUIRE(plan->bees.size() == 3);
    CHECK(plan->bees[2].instance.text() == "alpha-proc-3");
}

TEST_CASE("bees have names of their own, and a swarm has so many of them") {
    const auto plan = read(R"({"bees": [{"role": "proc"}, {"role": "proc"}, {"role": "gen"}]})");
    REQUIRE(plan);
    CHECK(plan->bees[0].bee == "proc");
    CHECK(plan->bees[1].bee == "proc-2");
    const auto twice = read(R"({"bees": [{"id": "a", "role": "x"}, {"id": "a", "role": "y"}]})");
    REQUIRE_FALSE(twice);
    CHECK(twice.error().detail == "bees[1].id: two bees are called 'a'");
    const auto many = read(
        R"({"bees": [{"role": "x", "replicas": 1000}, {"role": "y", "replicas": 1000},
                     {"role": "z"}]})");
    REQUIRE_FALSE(many);
    CHECK(many.error().detail == "bees[2]: a swarm has at most 2000 bees");
}

TEST_CASE("every problem of a template is named with its path") {
    const auto plan = read(
        R"({"bees": [{"role": "a.b"}, {"role": "x", "replicas": 0},
                     {"role": "y", "work": {"in": {"in": "q.q"}}}]})");
    REQUIRE_FALSE(plan);
    CHECK(plan.error().detail.find("bees[0].role") != std::string::npos);
    CHECK(plan.error().detail.find("bees[1].replicas") != std::string::npos);
    CHECK(plan.error().detail.find("bees[2].work.in.in") != std::string::npos);
}

TEST_CASE("the work objects of a swarm have the names of the contract") {
    const auto plan = read(R"({"bees": [{"role": "gen", "work": {"out": {"out": "raw"}}}]})");
    const auto layout = work_layout(alpha, plan.value());
    CHECK(layout.exchanges.at(0).name == "ph.alpha.hive");
    CHECK(layout.queues.at(1).name == "ph.work.alpha.raw");
    CHECK(layout.queues.at(1).dead_letter == "ph.work.alpha.raw.dead");
    CHECK(layout.bindings.at(0).key == "ph.work.alpha.raw");
}

TEST_CASE("both public forms are read: ids as id or beeId, config flat or under worker") {
    const auto plan = read(R"({"bees": [
        {"id": "a", "role": "x", "config": {"rate": 1}},
        {"beeId": "b", "role": "x", "config": {"inputs": {"n": 1}, "worker": {"rate": 2}}}]})");
    REQUIRE(plan);
    CHECK(plan->bees[0].bee == "a");
    CHECK(plan->bees[1].bee == "b");
    CHECK(plan->bees[0].config == json::object{{"rate", 1}});
    CHECK(plan->bees[1].config == json::object{{"inputs", {{"n", 1}}}, {"rate", 2}});
}

TEST_CASE("a restart policy is read, and never is the default") {
    const auto plan = read(R"({"bees": [
        {"role": "x"},
        {"role": "x", "restart": {"policy": "on-failure", "backoff": "250ms", "max": 3}}]})");
    REQUIRE(plan);
    CHECK(plan->bees[0].restart.policy == Restart::Policy::never);
    CHECK(
        plan->bees[1].restart ==
        Restart{Restart::Policy::on_failure, std::chrono::milliseconds{250}, 3});
    const auto bad = read(R"({"bees": [{"role": "x", "restart":
        {"policy": "sometimes", "backoff": "soon", "max": -1, "tries": 3}}]})");
    REQUIRE_FALSE(bad);
    for (const std::string_view path : {"policy", "backoff", "max", "tries"}) {
        CAPTURE(path);
        CHECK(bad.error().detail.find("bees[0].restart." + std::string{path}) != std::string::npos);
    }
}

TEST_CASE("edges of the scenario become bindings between every two of their instances") {
    const auto plan = read(R"({"bees": [
        {"id": "genA", "role": "gen", "replicas": 2, "work": {"out": {"out.fast": "raw"}}},
        {"id": "modA", "role": "mod", "work": {"in": {"in.fast": "raw"}}}],
        "topology": {"version": 1, "edges": [
            {"id": "e1", "from": {"beeId": "genA", "port": "out.fast"},
             "to": {"beeId": "modA", "port": "in.fast"}, "selector": {"policy": "predicate",
                "expr": "payload.priority >= 50"}}]}})");
    REQUIRE(plan);
    const auto bindings = runtime_bindings(alpha, *plan);
    const auto& edges = bindings.at("work").at("edges").as_array();
    REQUIRE(edges.size() == 2);
    CHECK(edges[1].at("edgeId") == "e1");
    CHECK(edges[1].at("selector").at("policy") == "predicate");
    CHECK(edges[1].at("from").at("instance") == "alpha-gen-2");
    CHECK(edges[1].at("from").at("port") == "out.fast");
    CHECK(edges[1].at("from").at("routingKey") == "ph.work.alpha.raw");
    CHECK(edges[1].at("to").at("queue") == "ph.work.alpha.raw");
}

TEST_CASE("an edge to a bee or a port that is not there is refused with its path") {
    const auto plan = read(R"({"bees": [{"id": "a", "role": "x", "work": {"out": {"out": "q"}}}],
        "topology": {"edges": [
            {"id": "e1", "from": {"beeId": "a", "port": "exit"},
             "to": {"beeId": "b", "port": "in"}}]}})");
    REQUIRE_FALSE(plan);
    CHECK(
        plan.error().detail ==
        "topology.edges[0].from.port: bee 'a' has no port 'exit' under work.out; "
        "topology.edges[0].to: there is no bee 'b'");
}

TEST_CASE("selectors of edges are given to every replica of the bee they leave, in their order") {
    const auto wired = [](const std::string& edges) {
        return read(
            R"({"bees": [
            {"id": "split", "role": "x", "replicas": 2,
             "work": {"in": {"in": "raw"}, "out": {"fast": "f", "slow": "s", "log": "l"}}},
            {"id": "f", "role": "y", "work": {"in": {"in": "f"}}},
            {"id": "s", "role": "y", "work": {"in": {"in": "s"}}},
            {"id": "s2", "role": "y", "work": {"in": {"in": "s"}}}],
            "topology": {"edges": [)" +
            edges + "]}}");
    };
    const auto edge = [](std::string_view id, std::string_view from, std::string_view to,
                         std::string_view selector) {
        return fmt::format(
            R"({{"id": "{}", "from": {{"beeId": "split", "port": "{}"}},
                "to": {{"beeId": "{}", "port": "in"}}, "selector": {}}})",
            id, from, to, selector);
    };
    const std::string fast =
        edge("e1", "fast", "f", R"({"policy": "first", "expr": "payload.priority >= 50"})");
    const std::string rest = edge("e2", "slow", "s", R"({"policy": "first"})");
    const auto plan = wired(fast + "," + rest);
    REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().detail));
    using worker::SelectPolicy;
    const std::vector<worker::PortSelector> expected{
        {"fast", SelectPolicy::first, "payload.priority >= 50"}, {"slow", SelectPolicy::first}};
    CHECK(plan->bees[0].selectors == expected);
    CHECK(plan->bees[1].selectors == expected);
    CHECK(plan->bees[2].selectors.empty());

    const auto refusal = [&](const std::string& edges) {
        const auto bad = wired(edges);
        return bad ? std::string{} : bad.error().detail;
    };
    CHECK(refusal(rest + "," + fast).starts_with("topology.edges[1].selector: is never reached"));
    CHECK(refusal(rest + "," + edge("e3", "slow", "s2", R"({"policy": "first"})")).empty());
    CHECK(refusal(rest + "," + edge("e3", "slow", "s2", R"({"expr": "true"})"))
              .starts_with("topology.edges[1].selector: edge 'e2' leaves the same port"));
    CHECK(refusal(edge("e1", "fast", "f", R"({"expr": "payload.("})"))
              .starts_with("topology.edges[0].selector: expr at 1:"));
}

TEST_CASE("a bee has variables for its process, and takes over none that are not its own") {
    const auto plan = read(R"({"bees": [{"role": "x", "env": {"REGION": "north"}}]})");
    REQUIRE(plan);
    CHECK(plan->bees[0].env.at("REGION") == "north");
    const auto bad = read(R"({"bees": [{"role": "x", "env": {"LD_PRELOAD": "a", "B": 1}}]})");
    REQUIRE_FALSE(bad);
    CHECK(bad.error().detail.find("bees[0].env.LD_PRELOAD: ") != std::string::npos);
    CHECK(bad.error().detail.find("bees[0].env.B: must be a text") != std::string::npos);
}
