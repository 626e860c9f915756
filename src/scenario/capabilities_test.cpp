#include "scenario/capabilities.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::scenario;

namespace {

const std::vector<FieldInfo> every_bee{
    {.path = "inputs.type",
     .type = "text",
     .choices = {"AUTO", "SCHEDULER", "REDIS_DATASET"},
     .live = false},
    {.path = "inputs.scheduler.ratePerSec",
     .type = "number",
     .help = "Items per second",
     .unit = "1/s",
     .lowest = 0,
     .highest = 1000,
     .fallback = 1.0},
    {.path = "inputs.redis.sources[].weight", .type = "number"},
    {.path = "interceptors.templating.template", .type = "text", .is_template = true}};

std::vector<FieldInfo> and_own(FieldInfo own) {
    auto fields = every_bee;
    fields.push_back(std::move(own));
    return fields;
}

const Catalog catalog{
    {"generator", {.fields = and_own({.path = "message.body", .type = "text"})}},
    {"moderator", {.fields = and_own({.path = "mode.type", .type = "text", .required = true})}},
    {"of-another-make", {}}};

} // namespace

TEST_CASE("each kind of bee has a manifest of its own settings and of what it can be fed with") {
    const auto all = capabilities_of(catalog);
    const auto& bees = all.at("bees").as_array();
    REQUIRE(bees.size() == 3);
    CHECK(bees[0].at("role") == "generator");
    CHECK(bees[0].at("inputs") == json::array{"redis", "scheduler"});
    CHECK(bees[0].at("interceptors") == json::array{"templating"});
    const auto& own = bees[0].at("fields").as_array();
    REQUIRE(own.size() == 2); // inputs.type is about all inputs
    CHECK(own[0].at("path") == "inputs.type");
    CHECK(own[0].at("live") == false);
    CHECK(own[1].at("path") == "message.body");
    CHECK(bees[1].at("fields").at(1).at("required") == true);
    CHECK(bees[2].at("fields").as_array().empty());
}

TEST_CASE("what bees are fed with is said once, with ranges, units, defaults and its choice") {
    const auto all = capabilities_of(catalog);
    const auto& inputs = all.at("inputs").as_array();
    REQUIRE(inputs.size() == 2);
    CHECK(inputs[0].at("choice") == "REDIS_DATASET");
    const auto& scheduler = inputs[1].as_object();
    CHECK(scheduler.at("type") == "scheduler");
    CHECK(scheduler.at("choice") == "SCHEDULER");
    CHECK(scheduler.at("path") == "inputs.scheduler");
    CHECK(scheduler.at("bees") == json::array{"generator", "moderator"});
    const auto& rate = scheduler.at("fields").at(0).as_object();
    CHECK(rate.at("path") == "inputs.scheduler.ratePerSec");
    CHECK(rate.at("type") == "number");
    CHECK(rate.at("unit") == "1/s");
    CHECK(rate.at("lowest") == 0.0);
    CHECK(rate.at("highest") == 1000.0);
    CHECK(rate.at("default") == 1.0);
    CHECK(rate.at("live") == true);
    const auto& templating = all.at("interceptors").at(0).as_object();
    CHECK(templating.at("fields").at(0).at("template") == true);
    CHECK_FALSE(templating.contains("choice"));
    CHECK(all.at("outputs").as_array().empty());
}

TEST_CASE("bees that differ in what they are fed with have manifests apart") {
    Catalog two = catalog;
    two["moderator"].fields[1].highest = 5;
    const auto all = capabilities_of(two);
    CHECK(all.at("inputs").as_array().size() == 3);
}

TEST_CASE("what a buffer guard can be told is part of the capabilities") {
    const auto all = capabilities_of(catalog);
    const auto& fields = all.at("bufferGuard").at("fields").as_array();
    const auto target = std::ranges::find_if(
        fields, [](const json::value& field) { return field.at("path") == "targetDepth"; });
    REQUIRE(target != fields.end());
    CHECK(target->at("live") == true);
}
