#pragma once

#include "colony/costs/repository.hpp"
#include "colony/moment.hpp"
#include "colony/refusal.hpp"

#include <string>
#include <vector>

namespace hive::colony::costs {

// Where costs are booked. Lives as long as the unit of work.
struct Accounts {
    UsageRepository& usage;
    PriceRepository& prices;
    BudgetRepository& budgets;
    Moment& moment;
    std::string currency{currency_usual}; // the hive's
};

struct NewUsage {
    std::string key{}; // empty: like no other
    std::string task{};
    std::string task_ref{};
    std::string bee{}; // empty: whoever acts, if that is a bee
    std::string model{};
    std::string provider{};
    std::string run{};
    std::optional<Timestamp> at{}; // now
    Amounts amounts{};
    std::optional<std::int64_t> micros{}; // none: as the price table says
    std::string currency{};               // of them; empty: the hive's
    Range energy_wh{};
    Range carbon_g{};
    json::object metadata{};
};

// A budget that this record used up, for what has to follow.
struct UsedUp {
    Budget budget;
    Spending spending;
};

struct Booked {
    Usage usage;
    bool repeated = false; // it was there already: nothing was counted
    std::vector<UsedUp> used_up{};
    std::vector<Budget> not_counted{}; // budgets in another currency than the record
};
Outcome<Booked> record(Accounts& accounts, NewUsage wanted);

// As much again as the limit, for one subject and period.
Outcome<Spending> grant(Accounts& accounts, const std::string& budget, const Spending& whose);

// Nobody approved more: nothing is under way any more, and it stays used up.
Outcome<void> deny_more(Accounts& accounts, const std::string& budget, const Spending& whose);

// The first budget that keeps this task, this bee or everyone from beginning something.
struct Asker {
    std::string task{};
    std::string bee{};
};
Outcome<void> check_may_begin(
    const BudgetRepository& book, const Budgets& budgets, const Asker& who, Timestamp now);

} // namespace hive::colony::costs
