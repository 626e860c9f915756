#pragma once

#include "colony/approvals/rule.hpp"
#include "colony/costs/usage.hpp"

#include <map>
#include <optional>
#include <vector>

namespace hive::colony::costs {

enum class Scope : std::uint8_t { task, bee, hive };
enum class Period : std::uint8_t { total, day };
enum class Measure : std::uint8_t { money, tokens, cpu };
// What happens when it is used up. Ask: as stop, until somebody approves as much again.
enum class Action : std::uint8_t { warn, ask, stop };

struct Budget {
    std::string id;
    std::string name;
    Scope scope = Scope::hive;
    std::string subject = "*"; // a task's id, a bee; `*`: each by itself
    Period period = Period::day;
    Measure measure = Measure::money;
    std::string currency{}; // of money; empty: the hive's, from before budgets said so
    std::int64_t limit = 0; // millionths, tokens, or microseconds of CPU
    int warn_percent = 80;
    Action action = Action::warn;
    approvals::Stage deciders{}; // of an ask
    bool enabled = true;
    std::string created_by{};
    Timestamp created{};
    std::uint64_t revision = 1;

    bool operator==(const Budget&) const = default;
};
using Budgets = std::vector<Budget>;

// What was spent of one budget by one subject in one period.
struct Spending {
    std::string budget;
    std::string subject; // empty for the hive
    std::string period;  // a day, or `total`
    std::int64_t spent = 0;
    std::int64_t granted = 0; // besides the limit
    bool warned = false;
    bool exceeded = false; // said since the last grant
    std::string approval{};
    // Money in other currencies than the budget's, which nobody can add up.
    std::map<std::string, std::int64_t> uncounted{};

    bool operator==(const Spending&) const = default;
};

// Whose spending a record is, by this budget; none: not its business.
std::optional<std::string> subject_of(const Budget& budget, const Usage& usage);
std::string period_of(const Budget& budget, Timestamp at);
std::int64_t measured(const Budget& budget, const Usage& usage);

bool is_used_up(const Budget& budget, const Spending& spending);
// Used up, and nothing new may begin.
bool holds_back(const Budget& budget, const Spending& spending);

Status check_budget(const Budget& budget);

std::string_view name_of(Scope scope) noexcept;
std::string_view name_of(Period period) noexcept;
std::string_view name_of(Measure measure) noexcept;
std::string_view name_of(Action action) noexcept;
Result<Scope> parse_scope(std::string_view text);
Result<Period> parse_period(std::string_view text);
Result<Measure> parse_measure(std::string_view text);
Result<Action> parse_action(std::string_view text);

json::object to_json(const Budget& budget);
Result<Budget> budget_from_stored(std::string_view text);
json::object to_json(const Spending& spending);
Result<Spending> spending_from_stored(std::string_view text);

} // namespace hive::colony::costs
