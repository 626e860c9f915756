#include "api/colony/cost_input.hpp"

#include "api/colony/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::rest {
namespace {

using namespace colony::costs;

std::int64_t& of(Amounts& amounts, Kind kind) {
    return amounts[static_cast<std::size_t>(kind)];
}

std::int64_t count_at(const json::object& body, std::string_view name) {
    return integer_of(body, name).value_or(0);
}

Result<Amounts> own_amounts(const json::object& body) {
    Amounts amounts{};
    const json::object tokens = object_of(body, "tokens");
    of(amounts, Kind::input) = count_at(tokens, "input");
    of(amounts, Kind::output) = count_at(tokens, "output");
    of(amounts, Kind::cache_read) = count_at(tokens, "cacheRead");
    of(amounts, Kind::cache_write) = count_at(tokens, "cacheWrite");
    of(amounts, Kind::reasoning) = count_at(tokens, "reasoning");
    return amounts;
}

// `input_tokens` counts cached ones as well, and `output_tokens` those spent on reasoning.
Result<Amounts> genai_amounts(const json::object& body) {
    Amounts amounts{};
    of(amounts, Kind::cache_read) = count_at(body, "gen_ai.usage.cache_read.input_tokens");
    of(amounts, Kind::cache_write) = count_at(body, "gen_ai.usage.cache_creation.input_tokens");
    of(amounts, Kind::reasoning) = count_at(body, "gen_ai.usage.reasoning.output_tokens");
    of(amounts, Kind::input) = count_at(body, "gen_ai.usage.input_tokens") -
                               of(amounts, Kind::cache_read) - of(amounts, Kind::cache_write);
    of(amounts, Kind::output) =
        count_at(body, "gen_ai.usage.output_tokens") - of(amounts, Kind::reasoning);
    if (of(amounts, Kind::input) < 0 || of(amounts, Kind::output) < 0) {
        return fail(
            Errc::invalid, "gen_ai.usage: input and output tokens include cached and reasoning "
                           "ones, and cannot be fewer");
    }
    return amounts;
}

bool speaks_genai(const json::object& body) {
    return std::ranges::any_of(
        body, [](const auto& member) { return member.key().starts_with("gen_ai."); });
}

Range range_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    if (value == nullptr) return {};
    if (value->is_number()) return {value->to_number<double>(), value->to_number<double>()};
    return {value->at("low").to_number<double>(), value->at("high").to_number<double>()};
}

std::string first_text(const json::object& body, std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
        if (auto text = text_of(body, name); !text.empty()) return text;
    }
    return {};
}

} // namespace

Result<NewUsage> usage_in(const json::object& body) {
    const bool genai = speaks_genai(body);
    if (genai && body.contains("tokens")) {
        return fail(Errc::invalid, "tokens: say them once, by our names or by gen_ai's");
    }
    auto amounts = genai ? genai_amounts(body) : own_amounts(body);
    if (!amounts) return fail(amounts.error());
    if (const auto* cpu = body.if_contains("cpuSeconds")) {
        of(*amounts, Kind::cpu) = std::llround(cpu->to_number<double>() * 1e6);
    }
    const auto at = time_of(body, "at");
    if (!at) return fail(at.error());
    NewUsage usage{
        .key = first_text(body, {"key", "gen_ai.response.id"}),
        .task = text_of(body, "task"),
        .bee = text_of(body, "bee"),
        .model = first_text(body, {"model", "gen_ai.response.model", "gen_ai.request.model"}),
        .provider = first_text(body, {"provider", "gen_ai.provider.name"}),
        .at = *at,
        .amounts = *amounts,
        .micros = integer_of(body, "micros"),
        .currency = text_of(body, "currency"),
        .energy_wh = range_of(body, "energyWh"),
        .carbon_g = range_of(body, "carbonG"),
        .metadata = object_of(body, "metadata")};
    for (const auto* word : {&usage.key, &usage.bee, &usage.model, &usage.provider}) {
        if (auto ok = check_words({*word + "-"}, "record"); !ok) return fail(ok.error());
    }
    return usage;
}

Result<Price> price_in(const json::object& body, Timestamp now) {
    const auto kind = parse_kind(text_of(body, "kind"));
    if (!kind) return fail(kind.error());
    const auto from = time_of(body, "from");
    if (!from) return fail(from.error());
    const auto to = time_of(body, "to");
    if (!to) return fail(to.error());
    Price price{
        .id = {},
        .model = text_of(body, "model"),
        .kind = *kind,
        .micros = count_at(body, "micros"),
        .from = from->value_or(now),
        .to = *to};
    if (auto ok = check_price(price); !ok) return fail(ok.error());
    return price;
}

Result<Budget> budget_in(const json::object& body, const std::string& currency) {
    const auto scope = parse_scope(text_of(body, "scope"));
    if (!scope) return fail(scope.error());
    Budget budget{
        .id = {},
        .name = text_of(body, "name"),
        .scope = *scope,
        .period = *scope == Scope::task ? Period::total : Period::day,
        .limit = count_at(body, "limit"),
        .warn_percent = static_cast<int>(integer_of(body, "warnPercent").value_or(80))};
    if (auto text = text_of(body, "subject"); !text.empty()) budget.subject = std::move(text);
    if (const auto text = text_of(body, "period"); !text.empty()) {
        budget.period = parse_period(text).value_or(budget.period);
    }
    if (const auto text = text_of(body, "measure"); !text.empty()) {
        budget.measure = parse_measure(text).value_or(budget.measure);
    }
    budget.currency = text_of(body, "currency");
    if (budget.currency.empty() && budget.measure == Measure::money) budget.currency = currency;
    if (const auto text = text_of(body, "action"); !text.empty()) {
        budget.action = parse_action(text).value_or(budget.action);
    }
    if (const auto* enabled = body.if_contains("enabled")) budget.enabled = enabled->as_bool();
    const json::object deciders = object_of(body, "deciders");
    const auto within = span_of(deciders, "within");
    if (!within) return fail(within.error());
    budget.deciders.people = words_of(deciders, "people");
    budget.deciders.quorum = static_cast<int>(integer_of(deciders, "quorum").value_or(1));
    budget.deciders.within = within->value_or(colony::approvals::within_usual);
    for (const auto& word : words_of(deciders, "roles")) {
        const auto role = accounts::parse_role(word);
        if (!role) return fail(role.error());
        budget.deciders.roles.push_back(*role);
    }
    if (deciders.empty()) budget.deciders.roles = {accounts::Role::human, accounts::Role::admin};
    if (auto ok = check_budget(budget); !ok) return fail(ok.error());
    return budget;
}

} // namespace hive::rest
