// `hive cost budget`.
#include "cli/colony_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <optional>

namespace hive::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view budgets = "/api/v1/budgets";

struct OneOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_cost_budget_one(OptionTable& table, OneOptions& options) {
    table.add_positional("ID", options.id).required().help("of the budget");
    declare_ask(table, options.ask);
}

std::string path_of(const std::string& id) {
    return fmt::format("{}/{}", budgets, percent_encoded(id));
}

// `EUR`, `tokens` or `cpu`.
std::string unit_of(const json::object& budget) {
    return member_text(budget, budget.contains("currency") ? "currency" : "measure");
}

std::string budget_line(const json::object& budget) {
    return fmt::format(
        "{} {} of {} {}: {}\n", member_text(budget, "id"), member_text(budget, "limit"),
        unit_of(budget), member_text(budget, "scope"), printable(member_text(budget, "name"), 100));
}

int run_cost_budget_list(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(std::string{budgets});
    return print_answer(call.host, answer, options.json, [](const json::object& page) {
        TextTable table{{"ID", "ON", "SCOPE", "SUBJECT", "PERIOD", "OF", "LIMIT", "THEN", "NAME"}};
        for (const auto& item : page.at("items").as_array()) {
            const json::object& budget = item.as_object();
            table.add(
                {member_text(budget, "id"), budget.at("enabled").as_bool() ? "yes" : "no",
                 member_text(budget, "scope"), member_text(budget, "subject"),
                 member_text(budget, "period"), unit_of(budget), member_text(budget, "limit"),
                 member_text(budget, "action"), printable(member_text(budget, "name"), 40)});
        }
        return table.text();
    });
}

std::string uncounted_text(const json::object& spent) {
    std::string out;
    const auto* others = spent.if_contains("uncounted");
    if (others == nullptr) return out;
    for (const auto& [currency, micros] : others->as_object()) {
        out += fmt::format(
            "{}{} {}", out.empty() ? "" : ", ", money_text(micros.to_number<std::int64_t>()),
            std::string_view{currency});
    }
    return out;
}

std::string budget_text(const json::object& budget) {
    std::string text = budget_line(budget);
    TextTable table{{"PERIOD", "SUBJECT", "SPENT", "GRANTED", "NOT COUNTED"}};
    for (const auto& item : budget.at("spendings").as_array()) {
        const json::object& spent = item.as_object();
        table.add(
            {member_text(spent, "period"), member_text(spent, "subject"),
             member_text(spent, "spent"), member_text(spent, "granted"), uncounted_text(spent)});
    }
    return text + table.text();
}

int run_cost_budget_show(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(call.host, server->get(path_of(options.id)), options.ask.json, budget_text);
}

int run_cost_budget_remove(OneOptions& options, Call& call) {
    return remove_at(path_of(options.id), options.ask, call);
}

struct BudgetOptions {
    AskOptions ask{};
    std::string id{};
    std::string name{};
    std::string scope{};
    std::string subject{};
    std::string period{};
    std::string measure{};
    std::string currency{};
    std::string action{};
    std::optional<std::uint64_t> limit{};
    std::optional<std::uint32_t> warn{};
    Words roles{};
    Words people{};
    std::string within{};
    ToggleOptions toggle{};
};

// What can be said when it is made, and later.
void declare_both(OptionTable& table, BudgetOptions& options) {
    table.add_flag("subject", options.subject)
        .value_name("ID")
        .help("one task or bee; else each by itself");
    table.add_flag("period", options.period)
        .value_name("PERIOD")
        .suggests({"day", "total"})
        .help("total for tasks, else day");
    table.add_flag("action", options.action)
        .value_name("THEN")
        .suggests({"warn", "ask", "stop"})
        .help("when it is used up; warn unless said");
    table.add_flag("warn-at", options.warn).range(1U, 100U).help("percent; 80 unless said");
    table.add_flag("role", options.roles).value_name("ROLE").help("who approves more, by role");
    table.add_flag("person", options.people).value_name("ID").help("who approves more, by name");
    table.add_flag("within", options.within).value_name("TIME").help("how long they have");
    declare_ask(table, options.ask);
}

void declare_cost_budget_create(OptionTable& table, BudgetOptions& options) {
    table.add_positional("NAME", options.name).required().help("what people call it");
    table.add_flag("scope", options.scope)
        .required()
        .value_name("WHAT")
        .suggests({"task", "bee", "hive"})
        .help("task, bee or hive");
    table.add_flag("limit", options.limit)
        .required()
        .value_name("N")
        .help("millionths of money, tokens, or microseconds of CPU");
    table.add_flag("measure", options.measure)
        .value_name("WHAT")
        .suggests({"money", "tokens", "cpu"})
        .help("money unless said");
    table.add_flag("currency", options.currency)
        .value_name("CODE")
        .help("of money; the hive's unless said");
    declare_both(table, options);
}

void declare_cost_budget_update(OptionTable& table, BudgetOptions& options) {
    table.add_positional("ID", options.id).required().help("of the budget");
    table.add_flag("name", options.name).value_name("TEXT").help("what people call it");
    table.add_flag("limit", options.limit).value_name("N").help("in the same unit as before");
    declare_toggle(table, options.toggle);
    declare_both(table, options);
}

void take(const BudgetOptions& options, json::object& budget) {
    const auto put = [](json::object& into, std::string_view name, const std::string& text) {
        if (!text.empty()) into[name] = text;
    };
    put(budget, "name", options.name);
    put(budget, "scope", options.scope);
    put(budget, "subject", options.subject);
    put(budget, "period", options.period);
    put(budget, "measure", options.measure);
    put(budget, "currency", options.currency);
    put(budget, "action", options.action);
    if (options.limit) budget["limit"] = *options.limit;
    if (options.warn) budget["warnPercent"] = *options.warn;
    json::object deciders;
    if (!options.roles.empty()) deciders["roles"] = json::value_from(options.roles);
    if (!options.people.empty()) deciders["people"] = json::value_from(options.people);
    put(deciders, "within", options.within);
    if (!deciders.empty()) budget["deciders"] = std::move(deciders);
}

int run_cost_budget_create(BudgetOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object budget;
    take(options, budget);
    return print_answer(
        call.host, server->post(std::string{budgets}, budget), options.ask.json, budget_line);
}

int run_cost_budget_update(BudgetOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto before = server->get(path_of(options.id));
    if (!before) return report(call.host, before.error());
    json::object budget = settable(
        before->as_object(), {"name", "scope", "subject", "period", "measure", "currency", "limit",
                              "warnPercent", "action", "deciders", "enabled"});
    take(options, budget);
    if (auto ok = take_toggle(options.toggle, budget); !ok) return report(call.host, ok.error());
    const auto revision = before->at("revision").to_number<std::uint64_t>();
    return print_answer(
        call.host, server->put(path_of(options.id), budget, revision), options.ask.json,
        budget_line);
}

} // namespace

Command cost_budget_command() {
    Command group{
        .text = {
            .name = "budget",
            .summary = "how much tasks, bees and the hive may spend",
            .examples = {
                {"hive cost budget create 'a bee a day' --scope bee --limit 5000000 --action ask",
                 "5.00 a day each; then people are asked"}}}};
    group.children.push_back(make_command<AskOptions>(
        {.name = "list",
         .summary = "all budgets",
         .examples = {{"hive cost budget list", "as a table"}}},
        declare_ask, run_cost_budget_list));
    group.children.push_back(make_command<OneOptions>(
        {.name = "show",
         .summary = "one budget, and what was spent of it",
         .examples = {{"hive cost budget show ID", "by day and subject"}}},
        declare_cost_budget_one, run_cost_budget_show));
    group.children.push_back(make_command<BudgetOptions>(
        {.name = "create",
         .summary = "make a budget",
         .examples =
             {{"hive cost budget create nights --scope hive --limit 9000000 --action stop",
               "9.00 a day for everyone"}}},
        declare_cost_budget_create, run_cost_budget_create));
    group.children.push_back(make_command<BudgetOptions>(
        {.name = "update",
         .summary = "change a budget, enable or disable it",
         .description = "Only what is named changes; what was spent stays spent.",
         .examples = {{"hive cost budget update ID --limit 9000000", "more a day"}}},
        declare_cost_budget_update, run_cost_budget_update));
    group.children.push_back(make_command<OneOptions>(
        {.name = "remove",
         .summary = "it limits nobody any more",
         .examples = {{"hive cost budget remove ID", "and what was spent is forgotten"}}},
        declare_cost_budget_one, run_cost_budget_remove));
    return group;
}

} // namespace hive::cli
