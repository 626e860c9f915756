#include "colony/costs/booking.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::costs;
using namespace std::chrono_literals;
using accounts::Role;

namespace {

const Timestamp noon{1'750'000'000s};
const Actor bee{"BEE-1", Role::bee};
const Actor alice{"alice", Role::human};

class Records final : public UsageRepository {
public:
    Status insert(const Usage& usage) override {
        all.emplace(usage.key, usage);
        return {};
    }
    Result<std::optional<Usage>> with_key(std::string_view key) const override {
        const auto found = all.find(std::string{key});
        return found == all.end() ? std::nullopt : std::optional{found->second};
    }
    Result<std::vector<Usage>> list(const UsageQuery&) const override {
        return std::vector<Usage>{};
    }
    Result<std::vector<Sum>> summary(const SummaryQuery&) const override {
        return std::vector<Sum>{};
    }
    std::map<std::string, Usage> all;
};

class PriceList final : public PriceRepository {
public:
    Status put(const Price& price) override {
        rows.push_back(price);
        return {};
    }
    Result<bool> remove(std::string_view) override { return false; }
    Result<Prices> all() const override { return rows; }
    Prices rows;
};

class BudgetList final : public BudgetRepository {
public:
    Status put(const Budget& budget) override {
        rows.push_back(budget);
        return {};
    }
    Result<bool> remove(std::string_view) override { return false; }
    Result<Budgets> all() const override { return rows; }
    Result<Spending> spending(
        std::string_view budget, std::string_view subject, std::string_view period) const override {
        const Key key{budget, subject, period};
        const auto found = spent.find(key);
        if (found != spent.end()) return found->second;
        return Spending{std::string{budget}, std::string{subject}, std::string{period}};
    }
    Status keep(const Spending& one) override {
        spent.insert_or_assign(Key{one.budget, one.subject, one.period}, one);
        return {};
    }
    Result<std::vector<Spending>> spendings(std::string_view, std::size_t) const override {
        return std::vector<Spending>{};
    }
    using Key = std::tuple<std::string, std::string, std::string>;
    Budgets rows;
    std::map<Key, Spending> spent;
};

class Office {
public:
    template <class F>
    auto as(const Actor& who, F work) {
        Moment moment{who, now, random};
        Accounts accounts{records, prices, budgets, moment};
        auto done = work(accounts);
        said.clear();
        for (const auto& event : moment.events()) said.push_back(event.type);
        return done;
    }
    Outcome<Booked> book(const Actor& who, NewUsage usage) {
        return as(who, [&](Accounts& accounts) { return record(accounts, std::move(usage)); });
    }

    Records records;
    PriceList prices;
    BudgetList budgets;
    Timestamp now = noon;
    Random random{3};
    std::vector<std::string> said;
};

NewUsage tokens(std::int64_t input, std::string key = {}) {
    return {.key = std::move(key), .model = "small-1", .amounts = {input}};
}

Budget daily(std::int64_t limit, Action action) {
    return {
        .id = "b",
        .name = "a bee's day",
        .scope = Scope::bee,
        .measure = Measure::tokens,
        .limit = limit,
        .action = action,
        .deciders = {.roles = {Role::human}}};
}

} // namespace

TEST_CASE("a record is priced by the row that is valid then, which is kept with it") {
    Office office;
    office.prices.rows = {
        {.id = "all", .model = "*", .micros = 1'000'000, .from = noon - 24h},
        {.id = "old", .model = "small-*", .micros = 2'000'000, .from = noon - 24h, .to = noon},
        {.id = "new", .model = "small-*", .micros = 3'000'000, .from = noon},
        {.id = "exact", .model = "large-1", .micros = 9'000'000, .from = noon - 24h},
        {.id = "out", .model = "*", .kind = Kind::output, .micros = 5'000'000, .from = noon - 24h}};
    auto booked = office.book(bee, {.model = "small-1", .amounts = {1000, 200}});
    REQUIRE(booked);
    CHECK(booked->usage.micros == 3000 + 1000);
    CHECK(booked->usage.prices == Words{"new", "out"});
    CHECK(booked->usage.bee == "BEE-1");
    booked = office.book(bee, {.model = "small-1", .at = noon - 1h, .amounts = {1000}});
    CHECK(booked->usage.prices == Words{"old"});
    CHECK(office.book(bee, {.model = "large-1", .amounts = {1000}})->usage.micros == 9000);
    CHECK(office.book(bee, {.model = "odd", .amounts = {1000}})->usage.micros == 1000);
    // Money that was stated beats the table.
    booked = office.book(bee, {.model = "small-1", .amounts = {1000}, .micros = 7});
    CHECK(booked->usage.micros == 7);
    CHECK(booked->usage.stated);
    CHECK(booked->usage.prices.empty());
}

TEST_CASE("money is whole millionths: rounded once per kind, without running over") {
    const Price cheap{.id = "p", .model = "*", .micros = 1};
    CHECK(cost_of(499'999, cheap) == 0);
    CHECK(cost_of(500'000, cheap) == 1);
    const Price dear{.id = "p", .model = "*", .micros = price_max};
    CHECK(cost_of(amount_max, dear) == 2'000'000'000'000'000);
    const Price cpu{.id = "p", .model = "*", .kind = Kind::cpu, .micros = 3'600'000};
    CHECK(cost_of(1'000'000, cpu) == 1000); // a second of an hour
    CHECK(
        cost_of(amount_max, {.id = "p", .model = "*", .kind = Kind::cpu, .micros = price_max}) > 0);
}

TEST_CASE("reported again it counts once; another use with the same key is refused") {
    Office office;
    office.budgets.rows = {daily(1000, Action::stop)};
    const auto first = office.book(bee, tokens(100, "call-1"));
    REQUIRE(first);
    CHECK(office.said == std::vector<std::string>{"cost.recorded"});
    const auto again = office.book(bee, tokens(100, "call-1"));
    REQUIRE(again);
    CHECK(again->repeated);
    CHECK(again->usage.id == first->usage.id);
    CHECK(office.said.empty());
    CHECK(office.budgets.spent.begin()->second.spent == 100);
    CHECK(office.book(bee, tokens(101, "call-1")).error().code == "key-of-another");
}

TEST_CASE("a record that says nothing, too much, or of somebody else is refused") {
    Office office;
    CHECK(office.book(bee, {}).error().code == "nothing-used");
    CHECK(office.book(bee, tokens(-1)).error().code == "bad-amount");
    CHECK(office.book(bee, tokens(amount_max + 1)).error().code == "bad-amount");
    CHECK(office.book(bee, {.energy_wh = {2, 1}}).error().code == "bad-range");
    CHECK(office.book(bee, {.bee = "BEE-2", .amounts = {1}}).error().code == "not-yours");
    CHECK(office.book(alice, {.bee = "BEE-2", .amounts = {1}})->usage.bee == "BEE-2");
    // A clock that is ahead of ours does not spend tomorrow's budget.
    CHECK(office.book(bee, {.at = noon + 48h, .amounts = {1}})->usage.at == noon);
}

TEST_CASE("a budget warns once, is used up once, and holds back what it says it holds back") {
    Office office;
    office.budgets.rows = {daily(1000, Action::stop)};
    const auto may = [&](const std::string& who) {
        return check_may_begin(
            office.budgets, office.budgets.rows, {.task = {}, .bee = who}, office.now);
    };
    REQUIRE(office.book(bee, tokens(799)));
    CHECK(office.said == std::vector<std::string>{"cost.recorded"});
    REQUIRE(office.book(bee, tokens(1)));
    CHECK(office.said.back() == "budget.warned");
    CHECK(may("BEE-1"));
    const auto over = office.book(bee, tokens(200));
    CHECK(office.said.back() == "budget.exceeded");
    REQUIRE(over->used_up.size() == 1);
    CHECK(may("BEE-1").error().code == "budget-exceeded");
    CHECK(may("BEE-2"));                                   // each by itself
    CHECK(office.book(bee, tokens(500))->used_up.empty()); // said before; still counted
    CHECK(office.said == std::vector<std::string>{"cost.recorded"});
    office.now += 24h;
    CHECK(may("BEE-1")); // another day
}

TEST_CASE("as much again is granted until that is used up, and only warning holds nothing back") {
    Office office;
    office.budgets.rows = {daily(100, Action::ask)};
    const auto over = office.book(bee, tokens(100));
    REQUIRE(over->used_up.size() == 1);
    const Spending whose = over->used_up.front().spending;
    const auto may = [&] {
        return check_may_begin(
            office.budgets, office.budgets.rows, {.task = {}, .bee = "BEE-1"}, office.now);
    };
    CHECK_FALSE(may());
    REQUIRE(office.as(alice, [&](Accounts& a) { return grant(a, "b", whose); }));
    CHECK(office.said == std::vector<std::string>{"budget.granted"});
    CHECK(may());
    CHECK(office.book(bee, tokens(100))->used_up.size() == 1);
    CHECK_FALSE(may());
    CHECK(
        office.as(alice, [&](Accounts& a) { return grant(a, "gone", whose); }).error().code ==
        "no-such-budget");
    office.budgets.rows.front().action = Action::warn;
    CHECK(may());
}

TEST_CASE("a limit that is raised is used up once more, and a denial ends the waiting") {
    Office office;
    office.budgets.rows = {daily(100, Action::ask)};
    const auto over = office.book(bee, tokens(100));
    REQUIRE(over->used_up.size() == 1);
    Spending waiting = over->used_up.front().spending;
    waiting.approval = "a-1";
    REQUIRE(office.budgets.keep(waiting));
    REQUIRE(office.as(alice, [&](Accounts& a) { return deny_more(a, "b", waiting); }));
    CHECK(office.budgets.spent.begin()->second.approval.empty());
    CHECK(office.budgets.spent.begin()->second.exceeded);
    office.budgets.rows.front().limit = 200;
    CHECK(office.book(bee, tokens(50))->used_up.empty());
    CHECK(office.book(bee, tokens(50))->used_up.size() == 1);
}

TEST_CASE("a task's budget is its own for as long as it lives, the hive's is everyone's each day") {
    Office office;
    office.budgets.rows = {
        {.id = "t",
         .name = "t",
         .scope = Scope::task,
         .period = Period::total,
         .measure = Measure::money,
         .limit = 50,
         .action = Action::stop},
        {.id = "h",
         .name = "h",
         .scope = Scope::hive,
         .measure = Measure::cpu,
         .limit = 3'000'000,
         .action = Action::stop}};
    REQUIRE(office.book(bee, {.task = "t-1", .amounts = {1}, .micros = 30}));
    office.now += 48h;
    CHECK(office.book(bee, {.task = "t-1", .amounts = {1}, .micros = 20})->used_up.size() == 1);
    const auto may = [&](Asker who) {
        return check_may_begin(office.budgets, office.budgets.rows, who, office.now).has_value();
    };
    CHECK_FALSE(may({.task = "t-1"}));
    CHECK(may({.task = "t-2"}));
    REQUIRE(office.book(alice, {.amounts = {0, 0, 0, 0, 0, 3'000'000}}));
    CHECK_FALSE(may({.task = "t-2", .bee = "anyone"}));
}

TEST_CASE("prices that overlap or end before they begin, and budgets that limit nothing") {
    const Price price{.id = "a", .model = "m", .micros = 1, .from = noon, .to = noon + 1h};
    Price other = price;
    other.id = "b";
    other.to.reset();
    CHECK(overlapping({price}, other)->id == "a");
    other.from = noon + 1h;
    CHECK(overlapping({price}, other) == nullptr);
    other.kind = Kind::output;
    other.from = noon;
    CHECK(overlapping({price}, other) == nullptr);
    other.to = noon;
    CHECK_FALSE(check_price(other));
    Budget budget = daily(0, Action::stop);
    CHECK_FALSE(check_budget(budget));
    budget.limit = 1;
    CHECK(check_budget(budget));
    budget.action = Action::ask;
    budget.deciders = {};
    CHECK(check_budget(budget).error().detail.starts_with("deciders"));
    budget = daily(1, Action::warn);
    budget.scope = Scope::hive;
    budget.subject = "x";
    CHECK_FALSE(check_budget(budget));
}

TEST_CASE("what is stored reads back equal, and damage is an error") {
    Office office;
    const auto usage = office
                           .book(
                               bee, {.key = "k",
                                     .task = "t",
                                     .task_ref = "TASK-1",
                                     .model = "m",
                                     .provider = "p",
                                     .run = "run-1",
                                     .at = noon - 1s,
                                     .amounts = {1, 2, 3, 4, 5, 1'234'567},
                                     .micros = 9,
                                     .energy_wh = {0.5, 1.5},
                                     .carbon_g = {0.1, 0.2},
                                     .metadata = {{"a", 1}}})
                           ->usage;
    CHECK(usage_from_stored(to_text(to_json(usage))).value() == usage);
    const Budget budget = daily(5, Action::ask);
    CHECK(budget_from_stored(to_text(to_json(budget))).value() == budget);
    const Price price{.id = "a", .model = "m", .kind = Kind::cache_write, .micros = 4, .to = noon};
    CHECK(price_from_stored(to_text(to_json(price))).value() == price);
    const Spending spending{"b", "s", "total", 1, 2, true, true, "a", {{"EUR", 7}}};
    CHECK(spending_from_stored(to_text(to_json(spending))).value() == spending);
    CHECK_FALSE(usage_from_stored("{}"));
    CHECK_FALSE(budget_from_stored("{}"));
    CHECK_FALSE(price_from_stored("[]"));
    CHECK_FALSE(spending_from_stored(""));
}

TEST_CASE("money in another currency is kept apart: no budget adds it up, and each says so") {
    Office office;
    Budget money = daily(1000, Action::warn);
    money.measure = Measure::money;
    money.currency = "USD";
    Budget euros = money;
    euros.id = "e";
    euros.currency = "EUR";
    Budget old = money; // from before budgets had one: the hive's
    old.id = "o";
    old.currency = "";
    office.budgets.rows = {money, euros, old};
    REQUIRE(office.book(bee, {.amounts = {1}, .micros = 400})->not_counted.size() == 1);
    const auto foreign = office.book(bee, {.amounts = {1}, .micros = 300, .currency = "EUR"});
    REQUIRE(foreign);
    CHECK(foreign->usage.currency == "EUR");
    REQUIRE(foreign->not_counted.size() == 2);
    CHECK(foreign->not_counted[0].id == "b");
    CHECK(foreign->not_counted[1].id == "o");
    const auto spent = [&](const char* id) {
        return office.budgets.spending(id, "BEE-1", day_of(noon)).value();
    };
    CHECK(spent("b").spent == 400);
    CHECK(spent("b").uncounted == std::map<std::string, std::int64_t>{{"EUR", 300}});
    CHECK(spent("e").spent == 300);
    CHECK(spent("e").uncounted == std::map<std::string, std::int64_t>{{"USD", 400}});
    CHECK(spent("o").spent == 400);
    const auto times_said = [&] { return std::ranges::count(office.said, "budget.uncounted"); };
    CHECK(times_said() == 2);
    office.book(bee, {.amounts = {1}, .micros = 300, .currency = "EUR"});
    CHECK(times_said() == 0); // once
}

TEST_CASE("what is no currency is refused, and so is another one without its money") {
    Office office;
    const auto unknown = office.book(bee, {.amounts = {1}, .micros = 3, .currency = "EURO"});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == "bad-currency");
    const auto unpriced = office.book(bee, {.amounts = {1}, .currency = "EUR"});
    REQUIRE_FALSE(unpriced);
    CHECK(unpriced.error().code == "money-needed");
    for (const auto* text : {"", "eur", "EU", "EURO", "EU ", "LLA", "L A", "XYZ"}) {
        CHECK_MESSAGE(!check_currency(text), text);
    }
    for (const auto* text : {"AED", "EUR", "USD", "ZWG"}) CHECK_MESSAGE(check_currency(text), text);
    Budget counted = daily(1, Action::warn);
    counted.currency = "USD";
    CHECK_FALSE(check_budget(counted)); // of tokens
}

TEST_CASE("a price in a currency that is not the hive's any more prices nothing") {
    Office office;
    office.prices.rows = {
        {.id = "then", .model = "*", .micros = 9'000'000, .currency = "EUR", .from = noon - 24h},
        {.id = "now", .model = "*", .micros = 1'000'000, .currency = "USD", .from = noon - 24h}};
    CHECK(office.book(bee, {.amounts = {1000}})->usage.prices == Words{"now"});
    CHECK(overlapping(office.prices.rows, office.prices.rows[0]) == nullptr);
}
