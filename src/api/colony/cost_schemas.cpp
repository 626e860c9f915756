#include "api/colony/cost_routes.hpp"
#include "api/rest/schemas.hpp"

namespace hive::rest {
namespace {

using namespace colony::costs;

json::object described(json::object schema, std::string_view what) {
    schema["description"] = what;
    return schema;
}
json::object bounded(std::int64_t min, std::int64_t max) {
    return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}
json::object count() {
    return bounded(0, amount_max);
}
json::object micros() {
    return described(count(), "millionths of the currency");
}
json::object currency() {
    return {{"type", "string"}, {"minLength", 3}, {"maxLength", 3}};
}
json::object money_by_currency(std::string_view what) {
    return described({{"type", "object"}, {"additionalProperties", integer_schema()}}, what);
}
json::object quantity() {
    return {{"type", "number"}, {"minimum", 0}, {"maximum", 1'000'000}};
}
json::object range() {
    return closed_object({{"low", quantity()}, {"high", quantity()}});
}
json::object estimate(std::string_view what) {
    return described({{"anyOf", {quantity(), range()}}}, what);
}
json::object free_object() {
    return {{"type", "object"}};
}
json::object true_or_false() {
    return {{"type", "boolean"}};
}
json::object kinds() {
    return words_schema({"input", "output", "cache_read", "cache_write", "reasoning", "cpu"});
}
json::object words() {
    return {{"type", "array"}, {"items", text_schema(200)}, {"maxItems", 50}};
}

json::object tokens() {
    return described(
        closed_object(
            {{"input?", count()},
             {"output?", count()},
             {"cacheRead?", count()},
             {"cacheWrite?", count()},
             {"reasoning?", count()}}),
        "kinds do not overlap: cached input is not counted in `input`");
}

json::object usage_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"key", text_schema()},
         {"task?", text_schema()},
         {"taskRef?", text_schema()},
         {"bee?", text_schema()},
         {"model?", text_schema()},
         {"provider?", text_schema()},
         {"run?", text_schema()},
         {"at", time_schema()},
         {"recordedBy", text_schema()},
         {"tokens?", tokens()},
         {"cpuSeconds?", {{"type", "number"}}},
         {"micros", micros()},
         {"currency?", described(currency(), "without it: the hive's")},
         {"notCounted?", described(
                             {{"type", "array"},
                              {"items", closed_object(
                                            {{"budget", text_schema()},
                                             {"name", text_schema()},
                                             {"currency", text_schema(3)}})}},
                             "budgets in other currencies, which this is not added to")},
         {"stated?", described(true_or_false(), "the recorder said what it cost")},
         {"prices?", described(words(), "the price rows it was computed by")},
         {"energyWh?", range()},
         {"carbonG?", range()},
         {"metadata?", free_object()}});
}

json::object new_usage_schema() {
    return closed_object(
        {{"key?", described(text_schema(200), "reported again with the same key, it counts once")},
         {"task?", described(text_schema(200), "id or ref")},
         {"bee?", described(text_schema(), "people may book for a bee")},
         {"model?", text_schema(200)},
         {"provider?", text_schema(100)},
         {"at?", time_schema()},
         {"tokens?", tokens()},
         {"cpuSeconds?", quantity()},
         {"micros?", described(count(), "what it cost; else the price table says")},
         {"currency?", described(currency(), "of `micros`; the hive's unless said")},
         {"energyWh?", estimate("watt hours, one number or a range")},
         {"carbonG?", estimate("grams of CO2, one number or a range")},
         {"metadata?", free_object()},
         {"gen_ai.provider.name?", text_schema(100)},
         {"gen_ai.operation.name?", text_schema(100)},
         {"gen_ai.request.model?", text_schema(200)},
         {"gen_ai.response.model?", text_schema(200)},
         {"gen_ai.response.id?", described(text_schema(200), "is the key when there is none")},
         {"gen_ai.usage.input_tokens?", described(count(), "with cached ones")},
         {"gen_ai.usage.output_tokens?", described(count(), "with those for reasoning")},
         {"gen_ai.usage.cache_read.input_tokens?", count()},
         {"gen_ai.usage.cache_creation.input_tokens?", count()},
         {"gen_ai.usage.reasoning.output_tokens?", count()}});
}

json::object price_fields(bool kept) {
    json::object schema = closed_object(
        {{"model", described(text_schema(200), "a name, or a pattern with `*`")},
         {"kind", kinds()},
         {"micros",
          described(
              bounded(0, price_max), "millionths per million tokens; for `cpu` per hour of CPU")},
         {"from?", described(time_schema(), "now unless said")},
         {"to?", time_schema()}});
    if (!kept) return schema;
    for (const auto* name : {"id", "createdBy"}) {
        schema["properties"].as_object()[name] = text_schema();
        schema["required"].as_array().emplace_back(name);
    }
    schema["properties"].as_object()["createdAt"] = time_schema();
    schema["properties"].as_object()["currency"] = currency();
    return schema;
}

json::object deciders() {
    return closed_object(
        {{"roles?",
          {{"type", "array"},
           {"items", words_schema({"admin", "human", "bee", "readonly"})},
           {"maxItems", 4}}},
         {"people?", words()},
         {"quorum?", bounded(1, colony::approvals::quorum_max)},
         {"within?", text_schema(40)}});
}

json::object scopes() {
    return words_schema({"task", "bee", "hive"});
}
json::object limit() {
    return described(
        bounded(1, amount_max), "millionths, tokens, or microseconds of CPU, by `measure`");
}

json::object new_budget_schema() {
    return closed_object(
        {{"name", text_schema(100)},
         {"scope", scopes()},
         {"subject?", described(text_schema(200), "one task's id or bee; without it each of them")},
         {"period?", described(words_schema({"total", "day"}), "total for tasks, else day (UTC)")},
         {"measure?", words_schema({"money", "tokens", "cpu"})},
         {"currency?", described(currency(), "of money; the hive's unless said")},
         {"limit", limit()},
         {"warnPercent?", bounded(1, 100)},
         {"action?",
          described(
              words_schema({"warn", "ask", "stop"}),
              "when it is used up: say so; hold back and ask for as much again; hold back")},
         {"deciders?", described(deciders(), "of an ask; every person unless said")},
         {"enabled?", true_or_false()}});
}

json::object budget_schema() {
    const json::object spending = closed_object(
        {{"budget", text_schema()},
         {"subject?", text_schema()},
         {"period", text_schema(20)},
         {"spent", integer_schema()},
         {"granted?", integer_schema()},
         {"warned?", true_or_false()},
         {"exceeded?", true_or_false()},
         {"approval?", text_schema()},
         {"uncounted?", money_by_currency("millionths in other currencies than the budget's")}});
    return closed_object(
        {{"id", text_schema()},
         {"name", text_schema(100)},
         {"scope", scopes()},
         {"subject", text_schema(200)},
         {"period", words_schema({"total", "day"})},
         {"measure", words_schema({"money", "tokens", "cpu"})},
         {"currency?", currency()},
         {"limit", limit()},
         {"warnPercent", bounded(1, 100)},
         {"action", words_schema({"warn", "ask", "stop"})},
         {"deciders?", deciders()},
         {"enabled", true_or_false()},
         {"createdBy", text_schema()},
         {"createdAt", time_schema()},
         {"revision", integer_schema(1)},
         {"spendings?", {{"type", "array"}, {"items", spending}}}});
}

} // namespace

void add_cost_schemas(json::object& schemas) {
    schemas["Usage"] = usage_schema();
    schemas["NewUsage"] = new_usage_schema();
    schemas["CostSum"] = closed_object(
        {{"task?", text_schema()},
         {"taskRef?", text_schema()},
         {"bee?", text_schema()},
         {"model?", text_schema()},
         {"day?", text_schema(10)},
         {"records", integer_schema()},
         {"micros", integer_schema()},
         {"currency", described(currency(), "of `micros`: the hive's")},
         {"otherMoney?", money_by_currency("millionths in other currencies, which are not added")},
         {"tokens?", tokens()},
         {"cpuSeconds?", {{"type", "number"}}},
         {"energyWh?", range()},
         {"carbonG?", range()}});
    schemas["Price"] = price_fields(true);
    schemas["NewPrice"] = price_fields(false);
    schemas["Budget"] = budget_schema();
    schemas["NewBudget"] = new_budget_schema();
}

json::object example_usage() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a16"},
        {"key", "call-7f3a"},
        {"taskRef", "TASK-9"},
        {"bee", "BEE-001"},
        {"model", "small-1"},
        {"at", "2026-01-05T10:00:00Z"},
        {"recordedBy", "BEE-001"},
        {"tokens", {{"input", 1200}, {"output", 300}}},
        {"micros", 8100},
        {"currency", "USD"},
        {"prices", {"0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a17"}}};
}

json::object example_price() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a17"},
        {"model", "small-*"},
        {"kind", "input"},
        {"micros", 3'000'000},
        {"from", "2026-01-01T00:00:00Z"},
        {"createdBy", "root"},
        {"createdAt", "2026-01-01T00:00:00Z"}};
}

json::object example_budget() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a18"},
        {"name", "a bee's day"},
        {"scope", "bee"},
        {"subject", "*"},
        {"period", "day"},
        {"measure", "money"},
        {"limit", 5'000'000},
        {"warnPercent", 80},
        {"action", "stop"},
        {"enabled", true},
        {"createdBy", "root"},
        {"createdAt", "2026-01-01T00:00:00Z"},
        {"revision", 1}};
}

} // namespace hive::rest
