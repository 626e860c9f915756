#include "colony/costs/budget.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hive::colony::costs {
namespace {

constexpr std::array<std::string_view, 3> scope_names{"task", "bee", "hive"};
constexpr std::array<std::string_view, 2> period_names{"total", "day"};
constexpr std::array<std::string_view, 3> measure_names{"money", "tokens", "cpu"};
constexpr std::array<std::string_view, 3> action_names{"warn", "ask", "stop"};

template <class Enum, std::size_t N>
Result<Enum> parse(const std::array<std::string_view, N>& names, std::string_view text) {
    const auto* found = std::ranges::find(names, text);
    if (found == names.end()) {
        return fail(
            Errc::invalid, fmt::format("'{}' is not one of {}", text, fmt::join(names, ", ")));
    }
    return static_cast<Enum>(found - names.begin());
}

Budget budget_in(const json::object& in) {
    Budget budget{
        .id = text_in(in, "id"),
        .name = text_in(in, "name"),
        .scope = parse_scope(text_in(in, "scope")).value(),
        .subject = text_in(in, "subject"),
        .period = parse_period(text_in(in, "period")).value(),
        .measure = parse_measure(text_in(in, "measure")).value(),
        .currency = text_in(in, "currency"),
        .limit = in.at("limit").to_number<std::int64_t>(),
        .warn_percent = number_in<int>(in, "warnPercent"),
        .action = parse_action(text_in(in, "action")).value(),
        .enabled = in.at("enabled").as_bool(),
        .created_by = text_in(in, "createdBy"),
        .created = time_at(in, "createdAt"),
        .revision = number_in<std::uint64_t>(in, "revision")};
    if (const auto* deciders = in.if_contains("deciders")) {
        budget.deciders = approvals::stage_in(deciders->as_object());
    }
    return budget;
}

Spending spending_in(const json::object& in) {
    Spending spending{
        .budget = text_in(in, "budget"),
        .subject = text_in(in, "subject"),
        .period = text_in(in, "period"),
        .spent = in.at("spent").to_number<std::int64_t>(),
        .granted = number_in<std::int64_t>(in, "granted"),
        .warned = in.contains("warned"),
        .exceeded = in.contains("exceeded"),
        .approval = text_in(in, "approval")};
    for (const auto& [currency, micros] : object_in(in, "uncounted")) {
        spending.uncounted[currency] = micros.to_number<std::int64_t>();
    }
    return spending;
}

} // namespace

std::optional<std::string> subject_of(const Budget& budget, const Usage& usage) {
    if (budget.scope == Scope::hive) return std::string{};
    const std::string& subject = budget.scope == Scope::task ? usage.task : usage.bee;
    if (subject.empty()) return std::nullopt;
    if (budget.subject != "*" && budget.subject != subject) return std::nullopt;
    return subject;
}

std::string period_of(const Budget& budget, Timestamp at) {
    return budget.period == Period::day ? day_of(at) : "total";
}

std::int64_t measured(const Budget& budget, const Usage& usage) {
    switch (budget.measure) {
    case Measure::money: return usage.micros;
    case Measure::tokens: return usage.tokens();
    case Measure::cpu: return usage.amount(Kind::cpu);
    }
    std::abort();
}

bool is_used_up(const Budget& budget, const Spending& spending) {
    return spending.spent >= budget.limit + spending.granted;
}

bool holds_back(const Budget& budget, const Spending& spending) {
    return budget.enabled && budget.action != Action::warn && is_used_up(budget, spending);
}

Status check_budget(const Budget& budget) {
    if (budget.name.empty()) return fail(Errc::invalid, "name: a budget needs one");
    if (budget.limit < 1 || budget.limit > amount_max) {
        return fail(Errc::invalid, fmt::format("limit: 1 to {}", amount_max));
    }
    if (!budget.currency.empty()) {
        if (budget.measure != Measure::money) {
            return fail(Errc::invalid, "currency: only a budget of money has one");
        }
        if (auto ok = check_currency(budget.currency); !ok) {
            return fail(Errc::invalid, "currency: " + ok.error().detail);
        }
    }
    if (budget.warn_percent < 1 || budget.warn_percent > 100) {
        return fail(Errc::invalid, "warnPercent: 1 to 100");
    }
    if (budget.scope == Scope::hive && budget.subject != "*") {
        return fail(Errc::invalid, "subject: there is only one hive; leave it out");
    }
    if (budget.action != Action::ask) return {};
    const auto good = check_stage(budget.deciders);
    return good ? good : fail(Errc::invalid, "deciders: " + good.error().detail);
}

std::string_view name_of(Scope scope) noexcept {
    return scope_names.at(static_cast<std::size_t>(scope));
}
std::string_view name_of(Period period) noexcept {
    return period_names.at(static_cast<std::size_t>(period));
}
std::string_view name_of(Measure measure) noexcept {
    return measure_names.at(static_cast<std::size_t>(measure));
}
std::string_view name_of(Action action) noexcept {
    return action_names.at(static_cast<std::size_t>(action));
}
Result<Scope> parse_scope(std::string_view text) {
    return parse<Scope>(scope_names, text);
}
Result<Period> parse_period(std::string_view text) {
    return parse<Period>(period_names, text);
}
Result<Measure> parse_measure(std::string_view text) {
    return parse<Measure>(measure_names, text);
}
Result<Action> parse_action(std::string_view text) {
    return parse<Action>(action_names, text);
}

json::object to_json(const Budget& budget) {
    json::object out{
        {"id", budget.id},
        {"name", budget.name},
        {"scope", name_of(budget.scope)},
        {"subject", budget.subject},
        {"period", name_of(budget.period)},
        {"measure", name_of(budget.measure)},
        {"limit", budget.limit},
        {"warnPercent", budget.warn_percent},
        {"action", name_of(budget.action)},
        {"enabled", budget.enabled},
        {"createdBy", budget.created_by},
        {"createdAt", format_timestamp(budget.created)},
        {"revision", budget.revision}};
    put(out, "currency", budget.currency);
    if (budget.action == Action::ask) out["deciders"] = to_json(budget.deciders);
    return out;
}

Result<Budget> budget_from_stored(std::string_view text) {
    return read_stored("budget", text, budget_in);
}

json::object to_json(const Spending& spending) {
    json::object out{
        {"budget", spending.budget}, {"period", spending.period}, {"spent", spending.spent}};
    put(out, "subject", spending.subject);
    if (spending.granted != 0) out["granted"] = spending.granted;
    if (spending.warned) out["warned"] = true;
    if (spending.exceeded) out["exceeded"] = true;
    put(out, "approval", spending.approval);
    for (const auto& [currency, micros] : spending.uncounted) {
        auto& others = out["uncounted"];
        if (others.is_null()) others.emplace_object();
        others.as_object()[currency] = micros;
    }
    return out;
}

Result<Spending> spending_from_stored(std::string_view text) {
    return read_stored("spending", text, spending_in);
}

} // namespace hive::colony::costs
