#include "cli/swarm_graph.hpp"
#include "kernel/text.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

using namespace hive;
using namespace hive::cli;

namespace {

json::object swarm(const std::string& text) {
    return parse_json(text).value().as_object();
}

} // namespace

TEST_CASE("bees stand by their ids as work flows, each queue between those it joins") {
    const auto shown = swarm(R"({"id":"alpha",
        "template":{"bees":[
            {"id":"b","role":"echo","replicas":3,"work":{"in":{"in":"q2"},"out":{"out":"q3"}}},
            {"id":"a","role":"echo","work":{"in":{"in":"q1"},"out":{"out":"q2"}}}]},
        "aggregate":{"workers":[
            {"role":"echo","beeId":"a","health":"healthy","tps":50},
            {"role":"echo","beeId":"b","health":"healthy","tps":20},
            {"role":"echo","beeId":"b","health":"healthy","tps":10},
            {"role":"echo","beeId":"b","health":"healthy","tps":11}],
          "queueStats":{"ph.work.alpha.q1":{"depth":0},"ph.work.alpha.q2":{"depth":12},
                        "ph.work.alpha.q3":null}}})");
    CHECK(
        swarm_graph(shown) ==
        "-> q1 0 -> [ok a 50/s] -> q2 12 -> [ok b x3 41/s] -> q3 missing ->\n");
    CHECK(knows_all_depths(shown));
}

TEST_CASE("what is unwell or not known is marked") {
    const auto shown = swarm(R"({"id":"alpha",
        "template":{"bees":[
            {"role":"gen","work":{"out":{"out":"raw"}}},
            {"role":"proc","work":{"in":{"in":"raw"},"out":{"out":"done"}}},
            {"role":"sink","work":{"in":{"in":"done"}}}]},
        "aggregate":{"workers":[
            {"role":"gen","health":"stale","tps":0},
            {"role":"proc","health":"healthy","tps":20},
            {"role":"proc","health":"stale","tps":21}],
          "queueStats":{"ph.work.alpha.raw":{"depth":12}}}})");
    CHECK(
        swarm_graph(shown) ==
        "[!! gen 0/s] -> raw 12 -> [!! proc x1/2 41/s] -> done ? -> [.. sink]\n");
    CHECK_FALSE(knows_all_depths(shown));
}

TEST_CASE("branches have lines of their own, and what joins again is named") {
    const auto text = swarm_graph(swarm(R"({"id":"alpha","template":{"bees":[
        {"id":"gen","role":"r","work":{"out":{"good":"raw","bad":"trash"}}},
        {"id":"left","role":"r","work":{"in":{"in":"raw"},"out":{"out":"mid"}}},
        {"id":"right","role":"r","work":{"in":{"in":"raw","more":"extra"},"out":{"out":"mid"}}},
        {"id":"end","role":"r","work":{"in":{"in":"mid"}}},
        {"id":"other","role":"r","work":{"in":{"x":"x1","y":"y1"},"out":{"out":"raw"}}}]}})"));
    CHECK(
        text == "[.. gen] -> raw ? -> [.. left] -> mid ? -> [.. end]\n"
                "gen -> raw ? -> [.. right] -> mid ? -> end\n"
                "gen -> trash ? ->\n"
                "-> x1 ? -> [.. other] -> raw ? -> left\n"
                "other -> raw ? -> right\n"
                "-> extra ? -> right\n"
                "-> y1 ? -> other\n");
}

TEST_CASE("a cycle and a swarm of nothing are drawn as well") {
    const auto text = swarm_graph(swarm(R"({"id":"alpha","template":{"bees":[
        {"id":"a","role":"r","work":{"in":{"i":"q2"},"out":{"o":"q1"}}},
        {"id":"b","role":"r","work":{"in":{"i":"q1"},"out":{"o":"q2"}}},
        {"id":"self","role":"r","work":{"in":{"i":"q3"},"out":{"o":"q3"}}}]}})"));
    CHECK(
        text == "[.. a] -> q1 ? -> [.. b] -> q2 ? -> a\n"
                "[.. self] -> q3 ? -> self\n");
    CHECK(swarm_graph({}).empty());
    CHECK(knows_all_depths({}));
}

TEST_CASE("a long chain is broken between its bees and stays within its columns") {
    std::string bees;
    for (int i = 0; i < 8; ++i) {
        bees += fmt::format(
            R"({}{{"id":"processor{}","role":"r","work":{{"in":{{"i":"queue{}"}},)"
            R"("out":{{"o":"queue{}"}}}}}})",
            bees.empty() ? "" : ",", i, i, i + 1);
    }
    const auto text = swarm_graph(swarm(R"({"id":"a","template":{"bees":[)" + bees + "]}}"));
    std::istringstream lines{text};
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        CAPTURE(line);
        CHECK(width_of(line) <= 100);
        CHECK(line.starts_with(count == 0 ? "-> queue0" : "    -> queue"));
    }
    CHECK(count == 3);
}

TEST_CASE("a template is drawn without what only a running swarm knows") {
    const auto bees = parse_json(R"({"bees": [
        {"id": "a", "work": {"out": {"out": "q1"}}},
        {"id": "b", "replicas": 3, "work": {"in": {"in": "q1"}, "out": {"out": "q2"}}},
        {"id": "c", "replicas": 1, "work": {"in": {"in": "q2"}}}]})");
    REQUIRE(bees);
    CHECK(template_graph(bees->as_object()) == "[a] -> q1 -> [b x3] -> q2 -> [c]\n");
}
