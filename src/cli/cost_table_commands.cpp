// `hive cost price` and `hive cost budget`.
#include "cli/colony_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

namespace hive::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view prices = "/api/v1/prices";
constexpr std::string_view budgets = "/api/v1/budgets";

struct OneOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_one(OptionTable& table, OneOptions& options) {
    table.add_positional("ID", options.id).required().help("of it");
    declare_ask(table, options.ask);
}

int remove_one(OneOptions& options, Call& call, std::string_view where) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto gone = server->remove(fmt::format("{}/{}", where, percent_encoded(options.id)));
    if (!gone) return report(call.host, gone.error());
    if (options.ask.json) call.host.out << "{}\n";
    return exit_ok;
}
int remove_price(OneOptions& options, Call& call) {
    return remove_one(options, call, prices);
}
int remove_budget(OneOptions& options, Call& call) {
    return remove_one(options, call, budgets);
}

std::string price_line(const json::object& price) {
    return fmt::format(
        "{} {} {}: {}\n", member_text(price, "id"), member_text(price, "model"),
        member_text(price, "kind"), money_text(price.at("micros").to_number<std::int64_t>()));
}

int list_prices(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(std::string{prices});
    return print_answer(call.host, answer, options.json, [](const json::object& page) {
        TextTable table{{"ID", "MODEL", "KIND", "PER MILLION", "FROM", "TO"}};
        for (const auto& item : page.at("items").as_array()) {
            const json::object& price = item.as_object();
            table.add(
                {member_text(price, "id"), printable(member_text(price, "model"), 40),
                 member_text(price, "kind"),
                 money_text(price.at("micros").to_number<std::int64_t>()),
                 member_time(price, "from"), member_time(price, "to")});
        }
        return table.text();
    });
}

struct PriceOptions {
    AskOptions ask{};
    std::string model{};
    std::string kind{};
    std::uint64_t micros = 0;
    std::string from{};
    std::string to{};
};

void declare_price(OptionTable& table, PriceOptions& options) {
    table.add_positional("MODEL", options.model).required().help("a name, or a pattern with *");
    table.add_positional("KIND", options.kind)
        .required()
        .suggests({"input", "output", "cache_read", "cache_write", "reasoning", "cpu"})
        .help("of tokens, or cpu");
    table.add_flag("micros", options.micros)
        .required()
        .value_name("N")
        .help("millionths per million tokens, or per hour of CPU");
    table.add_flag("from", options.from).value_name("TIME").help("RFC 3339; now unless said");
    table.add_flag("to", options.to).value_name("TIME").help("not any more from then on");
    declare_ask(table, options.ask);
}

int create_price(PriceOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body{{"model", options.model}, {"kind", options.kind}, {"micros", options.micros}};
    if (!options.from.empty()) body["from"] = options.from;
    if (!options.to.empty()) body["to"] = options.to;
    return print_answer(
        call.host, server->post(std::string{prices}, body), options.ask.json, price_line);
}

std::string budget_line(const json::object& budget) {
    return fmt::format(
        "{} {} of {} {}: {}\n", member_text(budget, "id"), member_text(budget, "limit"),
        member_text(budget, "measure"), member_text(budget, "scope"),
        printable(member_text(budget, "name"), 100));
}

int list_budgets(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(std::string{budgets});
    return print_answer(call.host, answer, options.json, [](const json::object& page) {
        TextTable table{{"ID", "SCOPE", "SUBJECT", "PERIOD", "MEASURE", "LIMIT", "THEN", "NAME"}};
        for (const auto& item : page.at("items").as_array()) {
            const json::object& budget = item.as_object();
            table.add(
                {member_text(budget, "id"), member_text(budget, "scope"),
                 member_text(budget, "subject"), member_text(budget, "period"),
                 member_text(budget, "measure"), member_text(budget, "limit"),
                 member_text(budget, "action"), printable(member_text(budget, "name"), 40)});
        }
        return table.text();
    });
}

std::string budget_text(const json::object& budget) {
    std::string text = budget_line(budget);
    TextTable table{{"PERIOD", "SUBJECT", "SPENT", "GRANTED"}};
    for (const auto& item : budget.at("spendings").as_array()) {
        const json::object& spent = item.as_object();
        table.add(
            {member_text(spent, "period"), member_text(spent, "subject"),
             member_text(spent, "spent"), member_text(spent, "granted")});
    }
    return text + table.text();
}

int show_budget(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(fmt::format("{}/{}", budgets, percent_encoded(options.id)));
    return print_answer(call.host, answer, options.ask.json, budget_text);
}

struct BudgetOptions {
    AskOptions ask{};
    std::string name{};
    std::string scope{};
    std::string subject{};
    std::string period{};
    std::string measure{};
    std::string action{};
    std::uint64_t limit = 0;
    std::uint32_t warn = 80;
    Words roles{};
    Words people{};
    std::string within{};
};

void declare_budget(OptionTable& table, BudgetOptions& options) {
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
    table.add_flag("subject", options.subject)
        .value_name("ID")
        .help("one task or bee; else each by itself");
    table.add_flag("period", options.period)
        .value_name("PERIOD")
        .suggests({"day", "total"})
        .help("total for tasks, else day");
    table.add_flag("measure", options.measure)
        .value_name("WHAT")
        .suggests({"money", "tokens", "cpu"})
        .help("money unless said");
    table.add_flag("action", options.action)
        .value_name("THEN")
        .suggests({"warn", "ask", "stop"})
        .help("when it is used up; warn unless said");
    table.add_flag("warn-at", options.warn).range(1U, 100U).help("percent");
    table.add_flag("role", options.roles).value_name("ROLE").help("who approves more, by role");
    table.add_flag("person", options.people).value_name("ID").help("who approves more, by name");
    table.add_flag("within", options.within).value_name("TIME").help("how long they have");
    declare_ask(table, options.ask);
}

int create_budget(BudgetOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body{
        {"name", options.name},
        {"scope", options.scope},
        {"limit", options.limit},
        {"warnPercent", options.warn}};
    const auto put = [](json::object& into, std::string_view name, const std::string& text) {
        if (!text.empty()) into[name] = text;
    };
    put(body, "subject", options.subject);
    put(body, "period", options.period);
    put(body, "measure", options.measure);
    put(body, "action", options.action);
    json::object deciders;
    if (!options.roles.empty()) deciders["roles"] = json::value_from(options.roles);
    if (!options.people.empty()) deciders["people"] = json::value_from(options.people);
    put(deciders, "within", options.within);
    if (!deciders.empty()) body["deciders"] = std::move(deciders);
    return print_answer(
        call.host, server->post(std::string{budgets}, body), options.ask.json, budget_line);
}

} // namespace

Command cost_price_command() {
    Command group{
        .text = {
            .name = "price",
            .summary = "what models and CPU cost, from when to when",
            .examples = {
                {"hive cost price create 'small-*' input --micros 3000000",
                 "3.00 per million tokens from now on"}}}};
    group.children.push_back(make_command<AskOptions>(
        {.name = "list",
         .summary = "the price table",
         .examples = {{"hive cost price list", "as a table"}}},
        declare_ask, list_prices));
    group.children.push_back(make_command<PriceOptions>(
        {.name = "create",
         .summary = "a new row",
         .examples = {{"hive cost price create swarm cpu --micros 40000", "0.04 per hour of CPU"}}},
        declare_price, create_price));
    group.children.push_back(make_command<OneOptions>(
        {.name = "remove",
         .summary = "it prices nothing any more",
         .examples = {{"hive cost price remove ID", "what was booked stays as it was"}}},
        declare_one, remove_price));
    return group;
}

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
        declare_ask, list_budgets));
    group.children.push_back(make_command<OneOptions>(
        {.name = "show",
         .summary = "one budget, and what was spent of it",
         .examples = {{"hive cost budget show ID", "by day and subject"}}},
        declare_one, show_budget));
    group.children.push_back(make_command<BudgetOptions>(
        {.name = "create",
         .summary = "make a budget",
         .examples =
             {{"hive cost budget create nights --scope hive --limit 9000000 --action stop",
               "9.00 a day for everyone"}}},
        declare_budget, create_budget));
    group.children.push_back(make_command<OneOptions>(
        {.name = "remove",
         .summary = "it limits nobody any more",
         .examples = {{"hive cost budget remove ID", "and what was spent is forgotten"}}},
        declare_one, remove_budget));
    return group;
}

} // namespace hive::cli
