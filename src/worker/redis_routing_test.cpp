#include "worker/redis_routing.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::worker;

namespace {

wire::WorkItem item_of(std::string first, std::string last) {
    wire::WorkItem item;
    item.headers.set("kind", "order");
    item.steps.push_back({.payload = std::move(first)});
    item.steps.push_back({.payload = std::move(last)});
    return item;
}

std::string list_for(const RedisOutput& output, const wire::WorkItem& item) {
    return RedisRouting::compile(output, "outputs.redis").value().push_of(item, {}).value().list;
}

} // namespace

TEST_CASE("the first route that matches counts, then the template, then the default") {
    const RedisOutput output{
        .routes =
            {{.match = "gold", .header = "kind", .header_match = "^refund$", .list = "refunds"},
             {.match = "gold|silver", .list = "metal"},
             {.header = "kind", .header_match = "ord", .list = "orders"}},
        .default_list = "rest"};
    CHECK(list_for(output, item_of("", "a gold ring")) == "metal");
    CHECK(list_for(output, item_of("", "a wooden ring")) == "orders");
    auto item = item_of("", "a wooden ring");
    item.headers.set("kind", "other");
    CHECK(list_for(output, item) == "rest");
    item.headers.set("kind", "refund");
    item.steps.back().payload = "gold";
    CHECK(list_for(output, item) == "refunds");

    const RedisOutput templated{.target_list_template = "out:{{ headers.kind }}"};
    CHECK(list_for(templated, item) == "out:refund");
    const RedisOutput nothing{.target_list_template = "{{ headers.none }}"};
    CHECK(list_for(nothing, item) == RedisRouting::no_list);
}

TEST_CASE("the first or the last step is pushed, as the bytes it means") {
    auto item = item_of("first", "/wA=");
    item.steps.back().encoding = wire::Encoding::base64;
    RedisOutput output{.source_step = SourceStep::first, .default_list = "out"};
    CHECK(RedisRouting::compile(output, "o").value().push_of(item, {}).value().text == "first");
    output.source_step = SourceStep::last;
    CHECK(
        RedisRouting::compile(output, "o").value().push_of(item, {}).value().text ==
        std::string{"\xff\0", 2});
}

TEST_CASE("what cannot be a route or a template is refused with its place") {
    const auto refusal = [](const RedisOutput& output) {
        const auto routing = RedisRouting::compile(output, "outputs.redis");
        return routing ? std::string{} : routing.error().detail;
    };
    CHECK(refusal({}).find("config.outputs.redis needs routes") != std::string::npos);
    CHECK(refusal({.routes = {{.match = "(", .list = "a"}}})
              .starts_with("config.outputs.redis.routes[0].match: "));
    CHECK(refusal({.target_list_template = "{{ nonsense( }}"})
              .starts_with("config.outputs.redis.targetListTemplate at 1:"));
}

TEST_CASE("a template for the list that fails is the item's failure, with its reason") {
    const RedisOutput output{
        .target_list_template = "out:{{ 1 / (payload | length - 3) }}", .default_list = "rest"};
    auto routing = RedisRouting::compile(output, "outputs.redis").value();
    CHECK(routing.push_of(item_of("", "four"), {}).value().list == "out:1");
    const auto refused = routing.push_of(item_of("", "abc"), {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.starts_with("targetListTemplate: "));
    CHECK(routing.unrouted() == 0);
}
