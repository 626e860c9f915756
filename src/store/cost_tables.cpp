#include "store/cost_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::store {
namespace {

using namespace colony::costs;

std::int64_t limit_of(std::size_t limit) {
    return static_cast<std::int64_t>(limit);
}

void add_times(
    Filter& filter, const std::optional<Timestamp>& from, const std::optional<Timestamp>& to) {
    if (from) filter.add("at >= {}", as_column(*from));
    if (to) filter.add("at < {}", as_column(*to));
}

Sum sum_in(const Row& row) {
    Sum sum{.group = std::string{row.text(0)}, .records = row.integer(1), .micros = row.integer(2)};
    for (std::size_t i = 0; i < kind_count; ++i) sum.amounts.at(i) = row.integer(3 + i);
    sum.energy_wh = {row.real(9), row.real(10)};
    sum.carbon_g = {row.real(11), row.real(12)};
    return sum;
}

} // namespace

Status UsageTable::insert(const Usage& usage) {
    const std::string body = to_text(to_json(usage));
    const std::string day = day_of(usage.at);
    const auto& n = usage.amounts;
    return nothing_but(session_->execute(
        "INSERT INTO colony_usage (hive, id, usage_key, at, day, task, bee, model, run, micros, "
        "input, output, cache_read, cache_write, reasoning, cpu, energy_low, energy_high, "
        "carbon_low, carbon_high, body, currency) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, "
        "$11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)",
        {hive_.text(),
         usage.id,
         usage.key,
         as_column(usage.at),
         day,
         usage.task,
         usage.bee,
         usage.model,
         usage.run,
         usage.micros,
         n[0],
         n[1],
         n[2],
         n[3],
         n[4],
         n[5],
         usage.energy_wh.low,
         usage.energy_wh.high,
         usage.carbon_g.low,
         usage.carbon_g.high,
         body,
         usage.currency}));
}

Result<std::optional<Usage>> UsageTable::with_key(std::string_view key) const {
    return first_of(read_bodies(
        *session_, "SELECT body FROM colony_usage WHERE usage_key = $2 AND hive = $1",
        {hive_.text(), key}, usage_from_stored));
}

Result<std::vector<Usage>> UsageTable::list(const UsageQuery& query) const {
    Filter filter{hive_.text()};
    if (!query.task.empty()) filter.add("task = {}", query.task);
    if (!query.bee.empty()) filter.add("bee = {}", query.bee);
    if (!query.model.empty()) filter.add("model = {}", query.model);
    if (!query.run.empty()) filter.add("run = {}", query.run);
    add_times(filter, query.from, query.to);
    if (!query.after.empty()) filter.add("id < {}", query.after);
    const std::string limit = filter.parameter(limit_of(query.limit));
    return read_bodies(
        *session_,
        fmt::format(
            "SELECT body FROM colony_usage WHERE {} ORDER BY id DESC LIMIT {}", filter.where(),
            limit),
        filter.params(), usage_from_stored);
}

Result<std::vector<Sum>> UsageTable::summary(const SummaryQuery& query) const {
    const std::string_view column = name_of(query.by); // one of ours
    Filter filter{hive_.text()};
    add_times(filter, query.from, query.to);
    if (!query.after.empty()) filter.add(fmt::format("{} > {{}}", column), query.after);
    const std::string limit = filter.parameter(limit_of(query.limit));
    std::string sums = fmt::format(
        ", CAST(SUM(CASE WHEN currency IN ('', {}) THEN micros ELSE 0 END) AS BIGINT)",
        filter.parameter(query.currency));
    for (const auto* name : {"input", "output", "cache_read", "cache_write", "reasoning", "cpu"}) {
        sums += fmt::format(", CAST(SUM({}) AS BIGINT)", name);
    }
    std::vector<Sum> all;
    const auto read = session_->query(
        fmt::format(
            "SELECT {0}, COUNT(*){1}, SUM(energy_low), SUM(energy_high), SUM(carbon_low), "
            "SUM(carbon_high) FROM colony_usage WHERE {2} GROUP BY {0} ORDER BY {0} LIMIT {3}",
            column, sums, filter.where(), limit),
        filter.params(), [&](const Row& row) { all.push_back(sum_in(row)); });
    if (!read) return fail(read.error());
    for (Sum& sum : all) sum.currency = query.currency;
    if (auto ok = add_other_money(query, all); !ok) return fail(ok.error());
    return all;
}

// Most hives have one currency, and then this finds nothing.
Status UsageTable::add_other_money(const SummaryQuery& query, std::vector<Sum>& sums) const {
    if (sums.empty()) return {};
    const std::string_view column = name_of(query.by);
    Filter filter{hive_.text()};
    add_times(filter, query.from, query.to);
    filter.add("currency <> {}", query.currency);
    filter.add("currency <> {}", "");
    filter.add(fmt::format("{} >= {{}}", column), sums.front().group);
    filter.add(fmt::format("{} <= {{}}", column), sums.back().group);
    return session_->query(
        fmt::format(
            "SELECT {0}, currency, CAST(SUM(micros) AS BIGINT) FROM colony_usage WHERE {1} "
            "GROUP BY {0}, currency ORDER BY {0}, currency",
            column, filter.where()),
        filter.params(), [&](const Row& row) {
            const auto sum = std::ranges::find(sums, row.text(0), &Sum::group);
            if (sum != sums.end()) sum->other[std::string{row.text(1)}] = row.integer(2);
        });
}

Status PriceTable::put(const Price& price) {
    const std::string body = to_text(to_json(price));
    return nothing_but(session_->execute(
        "INSERT INTO colony_price (hive, id, body) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive, id) DO UPDATE SET body = $3",
        {hive_.text(), price.id, body}));
}

Result<bool> PriceTable::remove(std::string_view id) {
    const auto gone = session_->execute(
        "DELETE FROM colony_price WHERE hive = $1 AND id = $2", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    return *gone == 1;
}

Result<Prices> PriceTable::all() const {
    return read_bodies(
        *session_, "SELECT body FROM colony_price WHERE hive = $1 ORDER BY id", {hive_.text()},
        price_from_stored);
}

Status BudgetTable::put(const Budget& budget) {
    const std::string body = to_text(to_json(budget));
    return nothing_but(session_->execute(
        "INSERT INTO colony_budget (hive, id, body) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive, id) DO UPDATE SET body = $3",
        {hive_.text(), budget.id, body}));
}

Result<bool> BudgetTable::remove(std::string_view id) {
    auto spent = session_->execute(
        "DELETE FROM colony_spending WHERE hive = $1 AND budget = $2", {hive_.text(), id});
    if (!spent) return fail(spent.error());
    const auto gone = session_->execute(
        "DELETE FROM colony_budget WHERE hive = $1 AND id = $2", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    return *gone == 1;
}

Result<Budgets> BudgetTable::all() const {
    return read_bodies(
        *session_, "SELECT body FROM colony_budget WHERE hive = $1 ORDER BY id", {hive_.text()},
        budget_from_stored);
}

Result<Spending> BudgetTable::spending(
    std::string_view budget, std::string_view subject, std::string_view period) const {
    auto found = first_of(read_bodies(
        *session_,
        "SELECT body FROM colony_spending WHERE hive = $1 AND budget = $2 AND period = $3 AND "
        "subject = $4",
        {hive_.text(), budget, period, subject}, spending_from_stored));
    if (!found) return fail(found.error());
    if (*found) return **std::move(found);
    return Spending{
        .budget = std::string{budget},
        .subject = std::string{subject},
        .period = std::string{period}};
}

Status BudgetTable::keep(const Spending& spending) {
    const std::string body = to_text(to_json(spending));
    return nothing_but(session_->execute(
        "INSERT INTO colony_spending (hive, budget, period, subject, body) "
        "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hive, budget, period, subject) "
        "DO UPDATE SET body = $5",
        {hive_.text(), spending.budget, spending.period, spending.subject, body}));
}

Result<std::vector<Spending>>
BudgetTable::spendings(std::string_view budget, std::size_t limit) const {
    return read_bodies(
        *session_,
        "SELECT body FROM colony_spending WHERE hive = $1 AND budget = $2 "
        "ORDER BY period DESC, subject LIMIT $3",
        {hive_.text(), budget, limit_of(limit)}, spending_from_stored);
}

} // namespace hive::store
