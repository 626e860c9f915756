#include "controller/order.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::controller;

namespace {

Template plan_of(std::string_view text) {
    const auto swarm = SwarmId::parse("alpha").value();
    return read_template(swarm, parse_json(text).value().as_object()).value();
}

} // namespace

TEST_CASE("producers start before transformers, transformers before consumers") {
    const auto order = start_order(plan_of(R"({"bees": [
        {"role": "post", "work": {"in": {"in": "done"}}},
        {"role": "proc", "replicas": 2, "work": {"in": {"in": "raw"}, "out": {"out": "done"}}},
        {"role": "gen", "work": {"out": {"out": "raw"}}}]})"));
    CHECK(order.rank_of == std::vector<std::size_t>{2, 1, 1, 0});
    CHECK(order.ranks == 3);
    CHECK_FALSE(order.cyclic);
}

TEST_CASE("bees on a cycle start in the order of their declaration") {
    const auto order = start_order(plan_of(R"({"bees": [
        {"role": "b", "work": {"in": {"in": "x"}, "out": {"out": "y"}}},
        {"role": "a", "work": {"in": {"in": "y"}, "out": {"out": "x"}}}]})"));
    CHECK(order.rank_of == std::vector<std::size_t>{0, 1});
    CHECK(order.cyclic);
}

TEST_CASE("a bee that feeds itself is no cycle") {
    const auto order = start_order(
        plan_of(R"({"bees": [{"role": "a", "work": {"in": {"in": "x"}, "out": {"out": "x"}}}]})"));
    CHECK_FALSE(order.cyclic);
}
