#include "store/cost_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::costs;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

const Timestamp noon{1'750'000'000s};

template <class F>
void in_unit(HiveUnderTest& hive, F work) {
    REQUIRE(store::write_and_wait(hive.db(), {.work = [&](store::Session& session) -> Status {
                                      work(session);
                                      return {};
                                  }}));
}

Usage usage(const std::string& id, const std::string& bee, Timestamp at) {
    return {
        .id = id,
        .key = "key-" + id,
        .task = "t-1",
        .bee = bee,
        .model = "small",
        .at = at,
        .recorded_by = bee,
        .amounts = {1000, 200, 30, 4, 5, 250'000},
        .micros = 3000,
        .prices = {"p-1"},
        .energy_wh = {0.5, 1.5},
        .carbon_g = {0.25, 0.75}};
}

} // namespace

TEST_CASE("usage is found by its key, and listed by whom and when") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::UsageTable book{session, hive.hive()};
        const Usage first = usage("u1", "B1", noon);
        Usage second = usage("u2", "B2", noon + 1h);
        second.task.clear();
        second.run = "run-1";
        REQUIRE(book.insert(first));
        REQUIRE(book.insert(second));
        CHECK(book.with_key("key-u1").value() == first);
        CHECK_FALSE(book.with_key("key-u9").value());
        const auto ids = [&](const UsageQuery& query) {
            const auto found = book.list(query);
            REQUIRE(found);
            std::string all;
            for (const auto& one : *found) all += one.id;
            return all;
        };
        CHECK(ids({}) == "u2u1");
        CHECK(ids({.limit = 1}) == "u2");
        CHECK(ids({.after = "u2"}) == "u1");
        CHECK(ids({.task = "t-1"}) == "u1");
        CHECK(ids({.bee = "B2"}) == "u2");
        CHECK(ids({.run = "run-1"}) == "u2");
        CHECK(ids({.model = "large"}).empty());
        CHECK(ids({.from = noon + 1h}) == "u2");
        CHECK(ids({.to = noon + 1h}) == "u1");
    });
}

TEST_CASE("one key is booked once, also when two come at the same time") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        REQUIRE(store::UsageTable{session, hive.hive()}.insert(usage("u1", "B1", noon)));
    });
    Usage twin = usage("u2", "B1", noon);
    twin.key = "key-u1";
    const auto second =
        store::write_and_wait(hive.db(), {.work = [&](store::Session& session) {
                                  return store::UsageTable{session, hive.hive()}.insert(twin);
                              }});
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::conflict);
}

TEST_CASE("sums are whole for every kind, by each grouping, page by page") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::UsageTable book{session, hive.hive()};
        REQUIRE(book.insert(usage("u1", "B1", noon)));
        REQUIRE(book.insert(usage("u2", "B1", noon + 24h)));
        REQUIRE(book.insert(usage("u3", "B2", noon + 24h)));
        const auto by_bee = book.summary({.by = Grouping::bee}).value();
        REQUIRE(by_bee.size() == 2);
        CHECK(by_bee[0].group == "B1");
        CHECK(by_bee[0].records == 2);
        CHECK(by_bee[0].micros == 6000);
        CHECK(by_bee[0].amounts == Amounts{2000, 400, 60, 8, 10, 500'000});
        CHECK(by_bee[0].energy_wh == Range{1.0, 3.0});
        CHECK(by_bee[0].carbon_g == Range{0.5, 1.5});
        const auto rest = book.summary({.by = Grouping::bee, .after = "B1", .limit = 1}).value();
        REQUIRE(rest.size() == 1);
        CHECK(rest[0].group == "B2");
        const auto days = book.summary({.by = Grouping::day}).value();
        REQUIRE(days.size() == 2);
        CHECK(days[0].group == day_of(noon));
        CHECK(book.summary({.by = Grouping::model})->front().records == 3);
        CHECK(book.summary({.by = Grouping::task, .from = noon + 1h})->front().records == 2);
    });
}

TEST_CASE("money of other currencies is summed beside that of the hive") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::UsageTable book{session, hive.hive()};
        int number = 0;
        const auto add = [&](const std::string& bee, const std::string& currency) {
            Usage one = usage("u" + std::to_string(++number), bee, noon);
            one.currency = currency;
            REQUIRE(book.insert(one));
            CHECK(book.with_key(one.key).value() == one);
        };
        add("B1", ""); // from before records had one
        add("B1", "USD");
        add("B1", "EUR");
        add("B1", "EUR");
        add("B2", "JPY");
        add("B3", "USD");
        const auto sums = book.summary({.by = Grouping::bee, .limit = 2}).value();
        REQUIRE(sums.size() == 2);
        CHECK(sums[0].currency == "USD");
        CHECK(sums[0].records == 4);
        CHECK(sums[0].micros == 6000);
        CHECK(sums[0].other == std::map<std::string, std::int64_t>{{"EUR", 6000}});
        CHECK(sums[1].micros == 0);
        CHECK(sums[1].other == std::map<std::string, std::int64_t>{{"JPY", 3000}});
        const auto rest = book.summary({.by = Grouping::bee, .after = "B2"}).value();
        REQUIRE(rest.size() == 1);
        CHECK(rest[0].other.empty());
        CHECK(book.summary({.by = Grouping::day, .currency = "EUR"})->front().micros == 9000);
    });
}

TEST_CASE("prices, budgets and what was spent of them") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::PriceTable prices{session, hive.hive()};
        Price price{.id = "p1", .model = "small-*", .micros = 3, .from = noon, .to = noon + 1h};
        REQUIRE(prices.put(price));
        price.micros = 4;
        REQUIRE(prices.put(price));
        CHECK(prices.all().value() == Prices{price});
        CHECK(prices.remove("p1").value());
        CHECK_FALSE(prices.remove("p1").value());

        store::BudgetTable budgets{session, hive.hive()};
        const Budget budget{.id = "b1", .name = "day", .scope = Scope::bee, .limit = 5};
        REQUIRE(budgets.put(budget));
        CHECK(budgets.all().value() == Budgets{budget});
        Spending spent = budgets.spending("b1", "B1", "2026-01-05").value();
        CHECK(spent.spent == 0);
        spent.spent = 7;
        spent.exceeded = true;
        REQUIRE(budgets.keep(spent));
        CHECK(budgets.spending("b1", "B1", "2026-01-05").value() == spent);
        spent.period = "2026-01-06";
        REQUIRE(budgets.keep(spent));
        const auto all = budgets.spendings("b1", 10).value();
        REQUIRE(all.size() == 2);
        CHECK(all[0].period == "2026-01-06");
        CHECK(budgets.remove("b1").value());
        CHECK(budgets.spendings("b1", 10)->empty());
    });
}
