#pragma once

#include "colony/costs/budget.hpp"
#include "colony/costs/price.hpp"

namespace hive::colony::costs {

struct UsageQuery {
    std::string task{}; // empty: any
    std::string bee{};
    std::string model{};
    std::string run{};
    std::optional<Timestamp> from{};
    std::optional<Timestamp> to{}; // before
    std::string after{};           // the id of the last one before; newest first
    std::size_t limit = 100;
};

enum class Grouping : std::uint8_t { task, bee, model, day };

struct SummaryQuery {
    Grouping by = Grouping::day;
    std::optional<Timestamp> from{};
    std::optional<Timestamp> to{};
    std::string after{}; // the last group before
    std::size_t limit = 100;
    std::string currency{currency_usual}; // the hive's
};

struct Sum {
    std::string group; // empty: records without one
    std::int64_t records = 0;
    std::string currency{};
    std::int64_t micros = 0;                     // in that currency
    std::map<std::string, std::int64_t> other{}; // in others, by currency
    Amounts amounts{};
    Range energy_wh{};
    Range carbon_g{};
};

class UsageRepository {
public:
    virtual ~UsageRepository() = default;
    virtual Status insert(const Usage& usage) = 0;
    virtual Result<std::optional<Usage>> with_key(std::string_view key) const = 0;
    virtual Result<std::vector<Usage>> list(const UsageQuery& query) const = 0;
    virtual Result<std::vector<Sum>> summary(const SummaryQuery& query) const = 0;
};

class PriceRepository {
public:
    virtual ~PriceRepository() = default;
    virtual Status put(const Price& price) = 0;
    virtual Result<bool> remove(std::string_view id) = 0; // false: there is none
    virtual Result<Prices> all() const = 0;
};

class BudgetRepository {
public:
    virtual ~BudgetRepository() = default;
    virtual Status put(const Budget& budget) = 0;
    virtual Result<bool> remove(std::string_view id) = 0; // with its spendings
    virtual Result<Budgets> all() const = 0;
    // Nothing spent when there is no such.
    virtual Result<Spending>
    spending(std::string_view budget, std::string_view subject, std::string_view period) const = 0;
    virtual Status keep(const Spending& spending) = 0;
    // The newest periods first.
    virtual Result<std::vector<Spending>>
    spendings(std::string_view budget, std::size_t limit) const = 0;
};

Result<Grouping> parse_grouping(std::string_view text);
std::string_view name_of(Grouping grouping) noexcept;
json::object to_json(const Sum& sum, Grouping by);

} // namespace hive::colony::costs
