#include "colony/costs/booking.hpp"

#include "colony/stored.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::costs {
namespace {

constexpr std::array<std::string_view, 4> grouping_names{"task", "bee", "model", "day"};

Outcome<void> check_money(const NewUsage& wanted, const std::string& hive_currency) {
    if (wanted.micros && (*wanted.micros < 0 || *wanted.micros > amount_max)) {
        return refuse(Errc::invalid, "bad-amount", fmt::format("micros: 0 to {}", amount_max));
    }
    if (wanted.currency.empty() || wanted.currency == hive_currency) return {};
    if (auto ok = check_currency(wanted.currency); !ok) {
        return refuse(Errc::invalid, "bad-currency", ok.error().detail);
    }
    if (wanted.micros) return {};
    return refuse(
        Errc::invalid, "money-needed",
        fmt::format(
            "a record in {} has to say its money in `micros`: the price table is in {}",
            wanted.currency, hive_currency));
}

Outcome<void> check(const NewUsage& wanted, const Actor& actor) {
    if (actor.role == accounts::Role::bee && !wanted.bee.empty() && wanted.bee != actor.id) {
        return refuse(
            Errc::denied, "not-yours", fmt::format("{} books only what it used itself", actor.id));
    }
    const bool anything = std::ranges::any_of(wanted.amounts, [](auto n) { return n != 0; }) ||
                          wanted.micros || wanted.energy_wh != Range{} ||
                          wanted.carbon_g != Range{};
    if (!anything) return refuse(Errc::invalid, "nothing-used", "the record says of nothing used");
    for (const auto amount : wanted.amounts) {
        if (amount >= 0 && amount <= amount_max) continue;
        return refuse(Errc::invalid, "bad-amount", fmt::format("an amount is 0 to {}", amount_max));
    }
    for (const auto& range : {wanted.energy_wh, wanted.carbon_g}) {
        if (range.low >= 0 && range.low <= range.high) continue;
        return refuse(Errc::invalid, "bad-range", "a range goes from low to high, from 0 on");
    }
    return {};
}

// What makes two records the same, whoever says it a second time.
bool same_use(const Usage& a, const Usage& b) {
    return a.amounts == b.amounts && a.task == b.task && a.bee == b.bee && a.model == b.model &&
           a.stated == b.stated && a.currency == b.currency && (!a.stated || a.micros == b.micros);
}

Usage usage_of(NewUsage wanted, const Moment& moment) {
    const Actor& actor = moment.actor();
    Usage usage{
        .id = make_ordered_uuid(moment.now(), moment.random()),
        .key = std::move(wanted.key),
        .task = std::move(wanted.task),
        .task_ref = std::move(wanted.task_ref),
        .bee = std::move(wanted.bee),
        .model = std::move(wanted.model),
        .provider = std::move(wanted.provider),
        .run = std::move(wanted.run),
        // A clock that is ahead of ours must not spend tomorrow's budget.
        .at = std::min(wanted.at.value_or(moment.now()), moment.now()),
        .recorded_by = actor.id,
        .amounts = wanted.amounts,
        .micros = wanted.micros.value_or(0),
        .currency = std::move(wanted.currency),
        .stated = wanted.micros.has_value(),
        .energy_wh = wanted.energy_wh,
        .carbon_g = wanted.carbon_g,
        .metadata = std::move(wanted.metadata)};
    if (usage.bee.empty() && actor.role == accounts::Role::bee) usage.bee = actor.id;
    if (usage.key.empty()) usage.key = usage.id;
    return usage;
}

void say(Accounts& accounts, const Budget& budget, const Spending& spending, std::string type) {
    json::object told{
        {"budget", budget.id},
        {"name", budget.name},
        {"scope", name_of(budget.scope)},
        {"measure", name_of(budget.measure)},
        {"limit", budget.limit + spending.granted},
        {"spent", spending.spent},
        {"period", spending.period},
        {"action", name_of(budget.action)}};
    put(told, "subject", spending.subject);
    put(told, "currency", budget.currency);
    accounts.moment.say(
        {.type = std::move(type),
         .entity_type = "budget",
         .entity_id = budget.id,
         .told = std::move(told),
         .words = {spending.subject.empty() ? "hive" : spending.subject}});
}

// Counts the record; true: that used the budget up.
Outcome<bool>
count(Accounts& accounts, const Budget& budget, Spending& spending, std::int64_t amount) {
    if (!is_used_up(budget, spending)) spending.exceeded = false; // the limit was raised
    spending.spent += amount;
    const std::int64_t allowed = budget.limit + spending.granted;
    const bool near = spending.spent >= allowed / 100 * budget.warn_percent +
                                            allowed % 100 * budget.warn_percent / 100;
    const bool over = is_used_up(budget, spending) && !spending.exceeded;
    if (near && !spending.warned) {
        spending.warned = true;
        say(accounts, budget, spending, "budget.warned");
    }
    if (over) {
        spending.exceeded = true;
        say(accounts, budget, spending, "budget.exceeded");
    }
    if (auto ok = accounts.budgets.keep(spending); !ok) return refuse(ok.error());
    return over;
}

// Nobody can add it up, so it is written down beside what was spent, and said the first time.
Outcome<void>
set_aside(Accounts& accounts, const Budget& budget, Spending& spending, const Usage& usage) {
    const auto [place, first] = spending.uncounted.try_emplace(usage.currency, 0);
    place->second += usage.micros;
    if (first) say(accounts, budget, spending, "budget.uncounted");
    if (auto ok = accounts.budgets.keep(spending); !ok) return refuse(ok.error());
    return {};
}

bool in_other_currency(const Accounts& accounts, const Budget& budget, const Usage& usage) {
    if (budget.measure != Measure::money) return false;
    return usage.currency != (budget.currency.empty() ? accounts.currency : budget.currency);
}

Outcome<void> count_in_all(Accounts& accounts, Booked& booked) {
    const Usage& usage = booked.usage;
    const auto budgets = accounts.budgets.all();
    if (!budgets) return refuse(budgets.error());
    for (const Budget& budget : *budgets) {
        const auto subject = subject_of(budget, usage);
        const std::int64_t amount = measured(budget, usage);
        if (!budget.enabled || !subject || amount == 0) continue;
        auto spending = accounts.budgets.spending(budget.id, *subject, period_of(budget, usage.at));
        if (!spending) return refuse(spending.error());
        if (in_other_currency(accounts, budget, usage)) {
            if (auto ok = set_aside(accounts, budget, *spending, usage); !ok) return ok;
            booked.not_counted.push_back(budget);
            continue;
        }
        const auto over = count(accounts, budget, *spending, amount);
        if (!over) return refuse(over.error());
        if (*over) booked.used_up.push_back({budget, *std::move(spending)});
    }
    return {};
}

} // namespace

Outcome<Booked> record(Accounts& accounts, NewUsage wanted) {
    if (auto ok = check(wanted, accounts.moment.actor()); !ok) return refuse(ok.error());
    if (auto ok = check_money(wanted, accounts.currency); !ok) return refuse(ok.error());
    if (wanted.currency.empty()) wanted.currency = accounts.currency;
    Booked booked{.usage = usage_of(std::move(wanted), accounts.moment)};
    Usage& usage = booked.usage;
    auto known = accounts.usage.with_key(usage.key);
    if (!known) return refuse(known.error());
    if (*known) {
        if ((*known)->currency.empty()) (*known)->currency = accounts.currency;
        if (!same_use(**known, usage)) {
            return refuse(
                Errc::conflict, "key-of-another",
                fmt::format("another use was recorded with the key '{}'", usage.key),
                {{"record", (*known)->id}});
        }
        return Booked{.usage = **std::move(known), .repeated = true};
    }
    if (!usage.stated) {
        const auto prices = accounts.prices.all();
        if (!prices) return refuse(prices.error());
        price_usage(*prices, usage);
    }
    if (auto ok = accounts.usage.insert(usage); !ok) return refuse(ok.error());
    accounts.moment.say(
        {.type = "cost.recorded",
         .entity_type = "cost",
         .entity_id = usage.id,
         .told = to_json(usage),
         .words = {usage.bee.empty() ? "none" : usage.bee}});
    if (auto ok = count_in_all(accounts, booked); !ok) return refuse(ok.error());
    return booked;
}

Outcome<Spending> grant(Accounts& accounts, const std::string& budget, const Spending& whose) {
    const auto budgets = accounts.budgets.all();
    if (!budgets) return refuse(budgets.error());
    const auto found = std::ranges::find(*budgets, budget, &Budget::id);
    if (found == budgets->end()) {
        return refuse(Errc::not_found, "no-such-budget", "the budget was removed meanwhile");
    }
    auto spending = accounts.budgets.spending(budget, whose.subject, whose.period);
    if (!spending) return refuse(spending.error());
    spending->granted += found->limit;
    spending->warned = false;
    // What was spent while nobody had decided may have used up this as well.
    spending->exceeded = false;
    spending->approval.clear();
    if (auto ok = accounts.budgets.keep(*spending); !ok) return refuse(ok.error());
    say(accounts, *found, *spending, "budget.granted");
    return *spending;
}

Outcome<void> deny_more(Accounts& accounts, const std::string& budget, const Spending& whose) {
    auto spending = accounts.budgets.spending(budget, whose.subject, whose.period);
    if (!spending) return refuse(spending.error());
    if (spending->approval.empty()) return {};
    spending->approval.clear();
    if (auto ok = accounts.budgets.keep(*spending); !ok) return refuse(ok.error());
    return {};
}

Outcome<void> check_may_begin(
    const BudgetRepository& book, const Budgets& budgets, const Asker& who, Timestamp now) {
    const Usage would{.id = {}, .key = {}, .task = who.task, .bee = who.bee, .recorded_by = {}};
    for (const Budget& budget : budgets) {
        const auto subject = subject_of(budget, would);
        if (!subject || !budget.enabled || budget.action == Action::warn) continue;
        const auto spending = book.spending(budget.id, *subject, period_of(budget, now));
        if (!spending) return refuse(spending.error());
        if (!holds_back(budget, *spending)) continue;
        json::object more{{"budget", budget.id}, {"spent", spending->spent}};
        put(more, "approval", spending->approval);
        return refuse(
            Errc::conflict, "budget-exceeded",
            fmt::format(
                "the budget '{}' of {} is used up{}", budget.name,
                subject->empty() ? "the hive" : *subject,
                spending->approval.empty() ? "" : "; somebody has to approve more"),
            std::move(more));
    }
    return {};
}

Result<Grouping> parse_grouping(std::string_view text) {
    const auto* found = std::ranges::find(grouping_names, text);
    if (found == grouping_names.end()) {
        return fail(Errc::invalid, "by: one of task, bee, model, day");
    }
    return static_cast<Grouping>(found - grouping_names.begin());
}

std::string_view name_of(Grouping grouping) noexcept {
    return grouping_names.at(static_cast<std::size_t>(grouping));
}

json::object to_json(const Sum& sum, Grouping by) {
    json::object out = amounts_json(sum.amounts);
    out[name_of(by)] = sum.group;
    out["records"] = sum.records;
    out["micros"] = sum.micros;
    put(out, "currency", sum.currency);
    if (!sum.other.empty()) {
        auto& others = out["otherMoney"].emplace_object();
        for (const auto& [currency, micros] : sum.other) others[currency] = micros;
    }
    if (sum.energy_wh != Range{}) {
        out["energyWh"] = json::object{{"low", sum.energy_wh.low}, {"high", sum.energy_wh.high}};
    }
    if (sum.carbon_g != Range{}) {
        out["carbonG"] = json::object{{"low", sum.carbon_g.low}, {"high", sum.carbon_g.high}};
    }
    return out;
}

} // namespace hive::colony::costs
