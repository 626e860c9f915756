#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

const std::string costs = "/api/v1/costs";
const std::string prices = "/api/v1/prices";
const std::string budgets = "/api/v1/budgets";
const std::string approvals = "/api/v1/approvals";

std::int64_t number_at(const json::value& value, std::string_view pointer) {
    boost::system::error_code none;
    const auto* found = value.find_pointer(pointer, none);
    REQUIRE_MESSAGE(found != nullptr, pointer, " in ", to_text(value));
    return found->to_number<std::int64_t>();
}

json::object used(std::int64_t input, const std::string& key = "") {
    json::object record{{"model", "small-1"}, {"tokens", {{"input", input}}}};
    if (!key.empty()) record["key"] = key;
    return record;
}

} // namespace

TEST_CASE("usage is priced when it is booked, counted once, and summed by task, bee, model, day") {
    ColonyUnderTest colony;
    const auto root = colony.admin();
    const auto price =
        root.post(prices, {{"model", "small-*"}, {"kind", "input"}, {"micros", 3'000'000}}, 201);
    const std::string task = colony.make_task({});
    const auto bee = colony.bee("BEE-001");
    json::object record = used(1000, "call-1");
    record["task"] = task;
    record["energyWh"] = {{"low", 0.5}, {"high", 1.5}};
    record["cpuSeconds"] = 0.25;
    const auto booked = bee.post(costs, record, 201);
    CHECK(number_at(booked, "/micros") == 3000);
    CHECK(booked.at("prices") == json::array{price.at("id")});
    CHECK(text_at(booked, "/taskRef") == task);
    CHECK(bee.post(costs, record, 200).at("id") == booked.at("id")); // a retry
    record["tokens"] = {{"input", 7}};
    CHECK(text_at(bee.post(costs, record, 409), "/code") == "key-of-another");
    // A new price changes no past.
    CHECK(
        root.send(
                "PUT", prices + "/" + text_at(price, "/id"),
                {{"model", "small-*"}, {"kind", "input"}, {"micros", 9'000'000}})
            .status == 200);
    colony.bee("BEE-002").post(costs, used(1000), 201);
    const auto by_bee = bee.get(costs + "/summary?by=bee");
    REQUIRE(by_bee.at("items").as_array().size() == 2);
    CHECK(number_at(by_bee, "/items/0/micros") == 3000);
    CHECK(number_at(by_bee, "/items/1/micros") == 9000);
    CHECK(by_bee.at("items").at(0).at("energyWh").at("high") == 1.5);
    CHECK(by_bee.at("items").at(0).at("cpuSeconds") == 0.25);
    const auto by_task = bee.get(costs + "/summary?by=task");
    CHECK(text_at(by_task, "/items/1/taskRef") == task);
    CHECK(number_at(bee.get(costs + "/summary?by=model"), "/items/0/tokens/input") == 2000);
    CHECK(number_at(bee.get(costs + "/summary"), "/items/0/records") == 2);
    CHECK(bee.get(costs + "/summary?from=2100-01-01T00:00:00Z").at("items").as_array().empty());
    bee.get(costs + "/summary?by=moon", 400);
    bee.get(costs + "/summary?from=yesterday", 400);

    const auto page = bee.get(costs + "?limit=1");
    CHECK(text_at(page, "/items/0/bee") == "BEE-002");
    CHECK(
        text_at(bee.get(costs + "?limit=1&cursor=" + text_at(page, "/next")), "/items/0/bee") ==
        "BEE-001");
    CHECK(bee.get(costs + "?task=" + task).at("items").as_array().size() == 1);
    CHECK(colony.hive().await_audit("cost.recorded").entity_type == "cost");
}

TEST_CASE("the names of OpenTelemetry are understood, and their kinds do not overlap") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto booked = bee.post(
        costs,
        {{"gen_ai.provider.name", "example"},
         {"gen_ai.request.model", "small"},
         {"gen_ai.response.model", "small-1"},
         {"gen_ai.response.id", "resp-1"},
         {"gen_ai.usage.input_tokens", 1000},
         {"gen_ai.usage.cache_read.input_tokens", 600},
         {"gen_ai.usage.cache_creation.input_tokens", 100},
         {"gen_ai.usage.output_tokens", 500},
         {"gen_ai.usage.reasoning.output_tokens", 200}},
        201);
    CHECK(
        booked.at("tokens") == json::object{
                                   {"input", 300},
                                   {"output", 300},
                                   {"cacheRead", 600},
                                   {"cacheWrite", 100},
                                   {"reasoning", 200}});
    CHECK(text_at(booked, "/model") == "small-1");
    CHECK(text_at(booked, "/key") == "resp-1");
    CHECK(text_at(booked, "/provider") == "example");
    bee.post(
        costs, {{"gen_ai.usage.input_tokens", 1}, {"gen_ai.usage.cache_read.input_tokens", 2}},
        400);
    bee.post(costs, {{"gen_ai.usage.input_tokens", 1}, {"tokens", {{"input", 1}}}}, 400);
    bee.post(costs, {{"gen_ai.usage.colour", 1}}, 400);
}

TEST_CASE("who may read costs hears of records and budgets, and nobody else does") {
    const auto who = [](accounts::Scopes scopes) {
        return accounts::Principal{.id = "x", .scopes = scopes};
    };
    const auto reader = who(accounts::Scopes::parse({"costs:read"}).value());
    const auto other = who(accounts::Scopes::parse({"tasks:write"}).value());
    for (const auto* topic : {"cost.recorded.u1.BEE-001", "budget.warned.b1.BEE-001"}) {
        CHECK(rest::may_hear(&reader, topic));
        CHECK_FALSE(rest::may_hear(&other, topic));
    }
}

TEST_CASE("records and prices that make no sense are refused, each with its reason") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    bee.post(costs, json::object{}, 400);
    bee.post(costs, {{"tokens", {{"input", -1}}}}, 400);
    bee.post(costs, {{"tokens", {{"input", "many"}}}}, 400);
    bee.post(costs, {{"tokens", {{"smoke", 1}}}}, 400);
    bee.post(costs, {{"tokens", {{"input", 1}}}, {"at", "soon"}}, 400);
    bee.post(costs, {{"energyWh", {{"low", 2}, {"high", 1}}}}, 400);
    bee.post(costs, {{"tokens", {{"input", 1}}}, {"task", "NONE"}}, 404);
    CHECK(
        text_at(bee.post(costs, {{"tokens", {{"input", 1}}}, {"bee", "B2"}}, 403), "/code") ==
        "not-yours");
    const auto root = colony.admin();
    const json::object price{{"model", "m"}, {"kind", "input"}, {"micros", 1}};
    bee.post(prices, price, 403);
    colony.person().post(prices, price, 403);
    root.post(prices, {{"model", "m"}, {"kind", "smoke"}, {"micros", 1}}, 400);
    root.post(prices, {{"model", "m"}, {"kind", "input"}, {"micros", 1.5}}, 400);
    const auto made = root.post(prices, price, 201);
    CHECK(text_at(root.post(prices, price, 409), "/code") == "price-overlaps");
    CHECK(bee.get(prices).at("items").as_array().size() == 1);
    const std::string path = prices + "/" + text_at(made, "/id");
    CHECK(colony.hive().send("DELETE", path, root.headers).status == 204);
    root.get(path, 404);
    root.post(budgets, {{"name", "x"}, {"scope", "moon"}, {"limit", 1}}, 400);
    root.post(budgets, {{"name", "x"}, {"scope", "bee"}, {"limit", 0}}, 400);
    root.post(budgets, {{"name", "x"}, {"scope", "task"}, {"subject", "NONE"}, {"limit", 1}}, 404);
}

TEST_CASE("a bee whose day is used up gets no new task until people approve as much again") {
    ColonyUnderTest colony;
    const auto root = colony.admin();
    const auto budget = root.post(
        budgets,
        {{"name", "a bee's day"},
         {"scope", "bee"},
         {"measure", "tokens"},
         {"limit", 1000},
         {"action", "ask"},
         {"deciders", {{"roles", {"human"}}, {"within", "1h"}}}},
        201);
    const auto bee = colony.bee("BEE-001");
    colony.make_task({});
    bee.post(costs, used(900), 201);
    CHECK(colony.hive().await_audit("budget.warned").entity_id == text_at(budget, "/id"));
    bee.post(costs, used(100), 201);
    const auto refused = bee.post("/api/v1/tasks/claim-next", {}, 409);
    CHECK(text_at(refused, "/code") == "budget-exceeded");
    const auto open = bee.get(approvals + "?state=open&act=budget.extend");
    REQUIRE(open.at("items").as_array().size() == 1);
    CHECK(refused.at("approval") == open.at("items").at(0).at("id"));
    const std::string decision = approvals + "/" + text_at(refused, "/approval") + "/decision";
    CHECK(
        text_at(
            colony.person().post(decision, {{"verdict", "approve"}, {"comment", "go on"}}),
            "/carry") == "done");
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().size() == 1);
    const auto shown = bee.get(budgets + "/" + text_at(budget, "/id"));
    CHECK(number_at(shown, "/spendings/0/granted") == 1000);
    // Denied, it stays as it is.
    bee.post(costs, used(1000), 201);
    const auto again = bee.get(approvals + "?state=open");
    REQUIRE(again.at("items").as_array().size() == 1);
    colony.person().post(
        approvals + "/" + text_at(again, "/items/0/id") + "/decision", {{"verdict", "deny"}});
    const auto still = bee.post("/api/v1/tasks/claim-next", {}, 409);
    CHECK_FALSE(still.as_object().contains("approval")); // nobody is asked any more
    colony.make_task({});
    CHECK(
        colony.bee("BEE-002").post("/api/v1/tasks/claim-next").at("items").as_array().size() == 1);
}

TEST_CASE("each bee and each day that one person books for is asked about by itself") {
    ColonyUnderTest colony;
    const auto root = colony.admin();
    root.post(
        budgets,
        {{"name", "a bee's day"},
         {"scope", "bee"},
         {"measure", "tokens"},
         {"limit", 1000},
         {"action", "ask"},
         {"deciders", {{"roles", {"human"}}, {"within", "1h"}}}},
        201);
    const auto book = [&](const char* bee, const char* at) {
        json::object record = used(1000);
        record["bee"] = bee;
        record["at"] = at;
        root.post(costs, record, 201);
    };
    book("BEE-001", "2026-01-02T03:04:05Z");
    book("BEE-002", "2026-01-02T03:04:05Z");
    book("BEE-001", "2026-01-03T03:04:05Z");
    const auto open = root.get(approvals + "?state=open&act=budget.extend");
    CHECK(open.at("items").as_array().size() == 3);
}

TEST_CASE("a task that has spent its budget is taken from its bee and given to nobody") {
    ColonyUnderTest colony;
    const auto root = colony.admin();
    const std::string ref = colony.make_task({});
    const std::string task = "/api/v1/tasks/" + ref;
    root.post(
        budgets,
        {{"name", "one task"},
         {"scope", "task"},
         {"subject", ref},
         {"limit", 1000},
         {"action", "stop"}},
        201);
    const auto bee = colony.bee("BEE-001");
    bee.post(task + "/claim");
    json::object record{{"task", ref}, {"micros", 1000}};
    bee.post(costs, record, 201);
    CHECK(text_at(bee.get(task), "/state") == "blocked");
    CHECK(text_at(bee.post(task + "/progress", {{"token", 1}}, 409), "/code") == "stale-lease");
    colony.person().post(task + "/unblock");
    CHECK(text_at(bee.post(task + "/claim", {}, 403), "/code") == "budget-exceeded");
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().empty());
    // A larger budget is a person's decision, too.
    const auto all = root.get(budgets);
    const std::string path = budgets + "/" + text_at(all, "/items/0/id");
    const json::object larger{
        {"name", "one task"},
        {"scope", "task"},
        {"subject", ref},
        {"limit", 5000},
        {"action", "stop"}};
    CHECK(root.send("PUT", path, larger, "If-Match: \"7\"\r\n").status == 412);
    CHECK(root.send("PUT", path, larger).status == 200);
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().size() == 1);
    CHECK(colony.hive().send("DELETE", path, root.headers).status == 204);
    CHECK(colony.hive().verify().good());
}

TEST_CASE("money in two currencies is never added up, and the answers say so") {
    ColonyUnderTest colony{{.currency = "EUR"}};
    const auto root = colony.admin();
    const json::object day{{"name", "a day"}, {"scope", "bee"}, {"limit", 1000}};
    const auto budget = root.post(budgets, day, 201);
    CHECK(text_at(budget, "/currency") == "EUR"); // the hive's
    const std::string path = budgets + "/" + text_at(budget, "/id");
    const auto bee = colony.bee("BEE-001");
    const auto own = bee.post(costs, {{"micros", 400}}, 201);
    CHECK(text_at(own, "/currency") == "EUR");
    CHECK_FALSE(own.as_object().contains("notCounted"));
    const auto foreign = bee.post(costs, {{"micros", 700}, {"currency", "USD"}}, 201);
    CHECK(text_at(foreign, "/notCounted/0/name") == "a day");
    CHECK(text_at(foreign, "/notCounted/0/currency") == "EUR");
    const auto shown = bee.get(path);
    CHECK(number_at(shown, "/spendings/0/spent") == 400);
    CHECK(number_at(shown, "/spendings/0/uncounted/USD") == 700);
    const auto sums = bee.get(costs + "/summary?by=bee");
    CHECK(number_at(sums, "/items/0/micros") == 400);
    CHECK(text_at(sums, "/items/0/currency") == "EUR");
    CHECK(number_at(sums, "/items/0/otherMoney/USD") == 700);
    CHECK(number_at(sums, "/items/0/records") == 2);

    CHECK(
        text_at(bee.post(costs, {{"micros", 1}, {"currency", "QQQ"}}, 400), "/code") ==
        "bad-currency");
    json::object unpriced = used(1);
    unpriced["currency"] = "USD";
    CHECK(text_at(bee.post(costs, unpriced, 400), "/code") == "money-needed");
    json::object other = day;
    other["currency"] = "USD";
    const auto changed = root.send("PUT", path, other);
    CHECK(changed.status == 409);
    CHECK(text_at(parse_json(changed.body).value(), "/code") == "other-unit");
    // What says no currency stays in the one it was in, whatever the hive's is.
    const auto dollars = root.post(budgets, other, 201);
    const auto raised = root.send(
        "PUT", budgets + "/" + text_at(dollars, "/id"),
        {{"name", "a day"}, {"scope", "bee"}, {"limit", 2000}});
    CHECK_MESSAGE(raised.status == 200, raised.body);
    CHECK(text_at(parse_json(raised.body).value(), "/currency") == "USD");
    other["measure"] = "tokens";
    root.post(budgets, other, 400);
    other["measure"] = "money";
    other["currency"] = "QQQ";
    root.post(budgets, other, 400);
}
