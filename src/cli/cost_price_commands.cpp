// `hive cost price`.
#include "cli/colony_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <optional>

namespace hive::cli {
namespace {

constexpr std::string_view prices = "/api/v1/prices";

struct OneOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_cost_price_one(OptionTable& table, OneOptions& options) {
    table.add_positional("ID", options.id).required().help("of the price");
    declare_ask(table, options.ask);
}

std::string path_of(const std::string& id) {
    return fmt::format("{}/{}", prices, percent_encoded(id));
}

std::string price_line(const json::object& price) {
    return fmt::format(
        "{} {} {}: {}\n", member_text(price, "id"), member_text(price, "model"),
        member_text(price, "kind"), money_of(price));
}

int run_cost_price_list(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(std::string{prices});
    return print_answer(call.host, answer, options.json, [](const json::object& page) {
        TextTable table{{"ID", "MODEL", "KIND", "PER MILLION", "FROM", "TO"}};
        for (const auto& item : page.at("items").as_array()) {
            const json::object& price = item.as_object();
            table.add(
                {member_text(price, "id"), printable(member_text(price, "model"), 40),
                 member_text(price, "kind"), money_of(price), member_time(price, "from"),
                 member_time(price, "to")});
        }
        return table.text();
    });
}

int run_cost_price_show(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->get(path_of(options.id)), options.ask.json, [](const json::object& one) {
            return fields_text(
                {{"id", member_text(one, "id")},
                 {"model", printable(member_text(one, "model"), 200)},
                 {"kind", member_text(one, "kind")},
                 {"price", money_of(one)},
                 {"from", member_time(one, "from")},
                 {"to", member_time(one, "to")},
                 {"made by", member_text(one, "createdBy")}});
        });
}

int run_cost_price_remove(OneOptions& options, Call& call) {
    return remove_at(path_of(options.id), options.ask, call);
}

struct PriceOptions {
    AskOptions ask{};
    std::string id{};
    std::string model{};
    std::string kind{};
    std::optional<std::uint64_t> micros{};
    std::string from{};
    std::string to{};
};

void declare_times(OptionTable& table, PriceOptions& options) {
    table.add_flag("from", options.from).value_name("TIME").help("RFC 3339; now unless said");
    table.add_flag("to", options.to).value_name("TIME").help("not any more from then on");
    declare_ask(table, options.ask);
}

void declare_cost_price_create(OptionTable& table, PriceOptions& options) {
    table.add_positional("MODEL", options.model).required().help("a name, or a pattern with *");
    table.add_positional("KIND", options.kind)
        .required()
        .suggests({"input", "output", "cache_read", "cache_write", "reasoning", "cpu"})
        .help("of tokens, or cpu");
    table.add_flag("micros", options.micros)
        .required()
        .value_name("N")
        .help("millionths per million tokens, or per hour of CPU");
    declare_times(table, options);
}

void declare_cost_price_update(OptionTable& table, PriceOptions& options) {
    table.add_positional("ID", options.id).required().help("of the price");
    table.add_flag("micros", options.micros)
        .value_name("N")
        .help("millionths per million tokens, or per hour of CPU");
    declare_times(table, options);
}

void take(const PriceOptions& options, json::object& price) {
    const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) price[name] = text;
    };
    put("model", options.model);
    put("kind", options.kind);
    put("from", options.from);
    put("to", options.to);
    if (options.micros) price["micros"] = *options.micros;
}

int run_cost_price_create(PriceOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object price;
    take(options, price);
    return print_answer(
        call.host, server->post(std::string{prices}, price), options.ask.json, price_line);
}

int run_cost_price_update(PriceOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto before = server->get(path_of(options.id));
    if (!before) return report(call.host, before.error());
    json::object price = settable(before->as_object(), {"model", "kind", "micros", "from", "to"});
    take(options, price);
    return print_answer(
        call.host, server->put(path_of(options.id), price), options.ask.json, price_line);
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
        declare_ask, run_cost_price_list));
    group.children.push_back(make_command<OneOptions>(
        {.name = "show",
         .summary = "one row",
         .examples = {{"hive cost price show ID", "everything about it"}}},
        declare_cost_price_one, run_cost_price_show));
    group.children.push_back(make_command<PriceOptions>(
        {.name = "create",
         .summary = "a new row",
         .examples = {{"hive cost price create swarm cpu --micros 40000", "0.04 per hour of CPU"}}},
        declare_cost_price_create, run_cost_price_create));
    group.children.push_back(make_command<PriceOptions>(
        {.name = "update",
         .summary = "change a row, or end it",
         .description = "What was booked stays as it was.",
         .examples =
             {{"hive cost price update ID --to 2026-02-01T00:00:00Z", "another holds from then"}}},
        declare_cost_price_update, run_cost_price_update));
    group.children.push_back(make_command<OneOptions>(
        {.name = "remove",
         .summary = "it prices nothing any more",
         .examples = {{"hive cost price remove ID", "what was booked stays as it was"}}},
        declare_cost_price_one, run_cost_price_remove));
    return group;
}

} // namespace hive::cli
