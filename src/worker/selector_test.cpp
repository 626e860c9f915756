#include "wire/work_item.hpp"
#include "worker/selector.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::worker;

namespace {

std::string refusal(std::string_view text) {
    const auto read = read_selector("out", parse_json(text).value().as_object());
    return read ? "" : read.error().detail;
}

struct ChoiceUnderTest {
    explicit ChoiceUnderTest(std::vector<PortSelector> selectors)
        : choice{PortChoice::make(
                     {.out = {{"a", "qa"}, {"b", "qb"}, {"c", "qc"}},
                      .selectors = std::move(selectors)},
                     std::make_shared<templates::LocalSequences>(), 1)
                     .value()} {}

    std::vector<std::size_t> operator()(std::string payload, std::string kind = "") {
        wire::WorkItem item{.steps = {{.payload = std::move(payload), .by = {"x", "x-1"}}}};
        if (!kind.empty()) item.headers.set("x-kind", std::move(kind));
        std::vector<std::size_t> out;
        choice.choose(item, {}, out);
        return out;
    }

    PortChoice choice;
};

using Ports = std::vector<std::size_t>;

} // namespace

TEST_SUITE("selectors") {
    TEST_CASE("every port whose expression holds gets the item, and those without one always") {
        ChoiceUnderTest choose{
            {{"a", SelectPolicy::all, "payload.priority >= 50"},
             {"b", SelectPolicy::all, "headers['x-kind'] == 'gold'"}}};
        CHECK(choose(R"({"priority":70})", "gold") == Ports{2, 0, 1});
        CHECK(choose(R"({"priority":70})") == Ports{2, 0});
        CHECK(choose(R"({"priority":10})", "gold") == Ports{2, 1});
        CHECK(choose("no JSON") == Ports{2});
    }
    TEST_CASE("alternatives are tried in their order, and one without expression takes the rest") {
        ChoiceUnderTest choose{
            {{"c", SelectPolicy::first, "payloadAsJson.n > 100"},
             {"a", SelectPolicy::first, "payloadAsJson.n > 10"},
             {"b", SelectPolicy::first, ""}}};
        CHECK(choose(R"({"n":500})") == Ports{2});
        CHECK(choose(R"({"n":50})") == Ports{0});
        CHECK(choose(R"({"n":5})") == Ports{1});
    }
    TEST_CASE("nobody may want an item") {
        ChoiceUnderTest choose{
            {{"a", SelectPolicy::first, "payload == 'a'"},
             {"b", SelectPolicy::first, "payload == 'b'"},
             {"c", SelectPolicy::all, "workItem.payload == 'c'"}}};
        CHECK(choose("a") == Ports{0});
        CHECK(choose("c") == Ports{2});
        CHECK(choose("d").empty());
        CHECK(choose.choice.failures() == 0);
    }
    TEST_CASE("an expression that cannot be evaluated does not hold, and it is told") {
        ChoiceUnderTest choose{
            {{"a", SelectPolicy::all, "payload.n / payload.zero > 1"},
             {"b", SelectPolicy::all, "true"},
             {"c", SelectPolicy::all, "false"}}};
        CHECK(choose(R"({"n":1,"zero":0})") == Ports{1});
        CHECK(choose.choice.failures() == 1);
        CHECK(!choose.choice.last_failure().empty());
    }
    TEST_CASE("what is wrong is said with its place") {
        CHECK(refusal(R"({"policy":"all","expr":"payload.x > 1"})").empty());
        CHECK(refusal(R"({"policy":"first"})").empty());
        CHECK(refusal(R"({"expr":"{{ payload.x }}"})").empty());
        CHECK(refusal(R"({"policy":"any","expr":"true"})").starts_with("policy must be"));
        CHECK(refusal(R"({"policy":"predicate"})").starts_with("expr is missing"));
        CHECK(refusal(R"({"expr":7})").starts_with("expr must be a text"));
        CHECK(refusal(R"({"expr":"true","weight":1})").starts_with("'weight' is unknown"));
        CHECK(refusal(R"~({"expr":"1 + nonsense(2)"})~").starts_with("expr at 1:5: "));
        CHECK(refusal(R"({"expr":"yes {{ 1 }}"})").starts_with("expr must be one expression"));
    }
}
