// Edges with selectors: what a bee sends where, in one process and on a real broker.
#include "tests/support/rabbit_server.hpp"
#include "tests/system/bees_scene.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::tests;

namespace {

// split sends what is urgent to `fast`, what is small nowhere but to `log`, the rest to `slow`.
const std::string sorting = R"({
    "bees":[
        {"id":"split","role":"echo","work":{"in":{"in":"in"},
            "out":{"out.fast":"fast","out.slow":"slow","out.log":"log"}}},
        {"id":"fast","role":"echo","work":{"in":{"in":"fast"},"out":{"out":"done-fast"}}},
        {"id":"slow","role":"echo","work":{"in":{"in":"slow"},"out":{"out":"done-slow"}}},
        {"id":"log","role":"echo","work":{"in":{"in":"log"},"out":{"out":"done-log"}}}],
    "topology":{"version":1,"edges":[
        {"id":"e1","from":{"beeId":"split","port":"out.fast"},"to":{"beeId":"fast","port":"in"},
         "selector":{"policy":"first","expr":"payload.priority >= 50"}},
        {"id":"e2","from":{"beeId":"split","port":"out.slow"},"to":{"beeId":"slow","port":"in"},
         "selector":{"policy":"first","expr":"payload.priority >= 10"}},
        {"id":"e3","from":{"beeId":"split","port":"out.log"},"to":{"beeId":"log","port":"in"},
         "selector":{"policy":"all","expr":"payload.logged"}}]}})";

std::vector<std::string> payloads(SwarmScene& scene, const std::string& queue, std::size_t count) {
    std::vector<std::string> out;
    for (const auto& item : scene.take("ph.work.alpha." + queue, count)) {
        out.emplace_back(item.steps.front().payload);
    }
    std::ranges::sort(out);
    return out;
}

std::uint64_t said(SwarmScene& scene, std::string_view what) {
    const auto work = scene.spy().work_of("alpha-echo-1");
    const auto* found = work.if_contains(what);
    return found != nullptr && found->is_number() ? found->to_number<std::uint64_t>() : 0;
}

void sort_a_few(SwarmScene& scene) {
    run(scene, "alpha", sorting);
    const std::string both = R"({"priority":90,"logged":true})";
    const std::string urgent = R"({"priority":50})";
    const std::string usual = R"({"priority":20})";
    const std::string logged = R"({"priority":1,"logged":true})";
    for (const auto& payload : {both, urgent, usual, logged}) {
        send(scene, "ph.work.alpha.in", {.payload = payload});
    }
    send(scene, "ph.work.alpha.in", {.payload = R"({"priority":2})"});
    send(scene, "ph.work.alpha.in", {.payload = "not even JSON"});

    CHECK(payloads(scene, "done-fast", 2) == std::vector{urgent, both});
    CHECK(payloads(scene, "done-slow", 1) == std::vector{usual});
    CHECK(payloads(scene, "done-log", 2) == std::vector{logged, both});
    CHECK(scene.eventually([&] { return said(scene, "unrouted") == 2; }));
    CHECK(scene.eventually([&] { return said(scene, "processed") == 6; }));
    const auto ports = scene.spy().work_of("alpha-echo-1").at("ports").as_object();
    CHECK(ports.at("out.fast").to_number<int>() == 2);
    CHECK(ports.at("out.slow").to_number<int>() == 1);
    CHECK(ports.at("out.log").to_number<int>() == 2);
    // All of it is acknowledged: nothing comes back when the swarm goes on without a change.
    const auto stopped = scene.wish("alpha", orchestrator::Wish::stopped);
    CHECK_MESSAGE(stopped.status == wire::OutcomeStatus::stopped, stopped.reason);
    const auto left = scene.outside().topology().inspect("ph.work.alpha.in");
    REQUIRE(left);
    CHECK(left->depth == 0);
    CHECK(scene.wish("alpha", orchestrator::Wish::removed).status == wire::OutcomeStatus::removed);
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
}

} // namespace

TEST_SUITE("edges with selectors") {
    TEST_CASE("items go only where they are wanted, in one process") {
        SwarmScene scene;
        sort_a_few(scene);
    }
    TEST_CASE("items go only where they are wanted, with bees as processes on RabbitMQ") {
        RabbitServer server;
        SwarmScene scene{{.broker = server.url()}};
        sort_a_few(scene);
    }
    TEST_CASE("a selector that does not compile is refused with its place when a swarm is made") {
        SwarmScene scene;
        std::string text = sorting;
        const std::string good = "payload.priority >= 50";
        text.replace(text.find(good), good.size(), "payload.priority >= nonsense(1)");
        const auto created = scene.create("alpha", scenario(text));
        CHECK(created.status == wire::OutcomeStatus::failed);
        CHECK_MESSAGE(
            created.reason.find("topology.edges[0].selector: expr at 1:21") != std::string::npos,
            created.reason);
    }
}
