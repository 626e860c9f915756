#include "cli/colony_commands.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

std::int64_t number_in(const json::object& object, std::string_view name) {
    const auto* found = object.if_contains(name);
    return found == nullptr ? 0 : found->to_number<std::int64_t>();
}

std::string tokens_text(const json::object& record) {
    const auto* tokens = record.if_contains("tokens");
    if (tokens == nullptr) return {};
    std::int64_t sum = 0;
    for (const auto& [name, count] : tokens->as_object()) sum += count.to_number<std::int64_t>();
    return std::to_string(sum);
}

std::string cpu_text(const json::object& record) {
    const auto* cpu = record.if_contains("cpuSeconds");
    return cpu == nullptr ? std::string{} : fmt::format("{:.3f}", cpu->to_number<double>());
}

struct RecordOptions {
    AskOptions ask{};
    std::string key{};
    std::string task{};
    std::string bee{};
    std::string model{};
    std::uint64_t input = 0;
    std::uint64_t output = 0;
    std::uint64_t cache_read = 0;
    std::uint64_t cache_write = 0;
    std::uint64_t reasoning = 0;
    double cpu = 0;
    std::int64_t micros = -1;
    std::string currency{};
    std::string file{};
};

void declare_record(OptionTable& table, RecordOptions& options) {
    table.add_flag("once", options.key)
        .value_name("KEY")
        .help("recorded again with the same key, it counts once");
    table.add_flag("task", options.task).value_name("TASK").help("what it was used for");
    table.add_flag("bee", options.bee).value_name("ID").help("who used it; people only");
    table.add_flag("model", options.model).value_name("NAME").help("that was asked");
    table.add_flag("input", options.input).value_name("N").help("tokens, without cached ones");
    table.add_flag("output", options.output).value_name("N").help("tokens, without reasoning");
    table.add_flag("cache-read", options.cache_read).value_name("N").help("tokens from the cache");
    table.add_flag("cache-write", options.cache_write).value_name("N").help("tokens into it");
    table.add_flag("reasoning", options.reasoning).value_name("N").help("tokens");
    table.add_flag("cpu", options.cpu).range(0.0, 1'000'000.0).help("seconds of CPU");
    table.add_flag("micros", options.micros)
        .value_name("N")
        .help("what it cost in millionths; else the price table says");
    table.add_flag("currency", options.currency)
        .value_name("CODE")
        .help("of that; the hive's unless said");
    table.add_flag("file", options.file)
        .value_name("FILE")
        .help("the record as YAML or JSON, also with OpenTelemetry's gen_ai names");
    declare_ask(table, options.ask);
}

json::object record_of(const RecordOptions& options) {
    json::object record;
    const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) record[name] = text;
    };
    put("key", options.key);
    put("task", options.task);
    put("bee", options.bee);
    put("model", options.model);
    put("currency", options.currency);
    json::object tokens;
    const auto count = [&](std::string_view name, std::uint64_t n) {
        if (n > 0) tokens[name] = n;
    };
    count("input", options.input);
    count("output", options.output);
    count("cacheRead", options.cache_read);
    count("cacheWrite", options.cache_write);
    count("reasoning", options.reasoning);
    if (!tokens.empty()) record["tokens"] = std::move(tokens);
    if (options.cpu > 0) record["cpuSeconds"] = options.cpu;
    if (options.micros >= 0) record["micros"] = options.micros;
    return record;
}

std::string not_counted_text(const json::object& usage) {
    std::string out;
    const auto* budgets = usage.if_contains("notCounted");
    if (budgets == nullptr) return out;
    for (const auto& item : budgets->as_array()) {
        const json::object& budget = item.as_object();
        out += fmt::format(
            "not counted by the budget '{}', which is in {}\n",
            printable(member_text(budget, "name"), 100), member_text(budget, "currency"));
    }
    return out;
}

int run_record(RecordOptions& options, Call& call) {
    json::value record = record_of(options);
    if (!options.file.empty()) {
        auto document = read_document(options.file);
        if (!document) return report(call.host, document.error());
        record = *std::move(document);
    }
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto booked = server->post("/api/v1/costs", record);
    return print_answer(call.host, booked, options.ask.json, [](const json::object& usage) {
        return fmt::format("booked {} as {}\n", money_of(usage), member_text(usage, "id")) +
               not_counted_text(usage);
    });
}

struct ListOptions {
    AskOptions ask{};
    std::string task{};
    std::string bee{};
    std::string model{};
    std::string run{};
    std::string from{};
    std::string to{};
    std::uint32_t limit = 1000;
};

void declare_cost_list(OptionTable& table, ListOptions& options) {
    table.add_flag("task", options.task).value_name("TASK").help("only for this task");
    table.add_flag("bee", options.bee).value_name("ID").help("only of this bee");
    table.add_flag("model", options.model).value_name("NAME").help("only of this model");
    table.add_flag("run", options.run).value_name("RUN").help("only of this run of a swarm");
    table.add_flag("from", options.from).value_name("TIME").help("RFC 3339");
    table.add_flag("to", options.to).value_name("TIME").help("before this time");
    table.add_flag("limit", options.limit).range(1U, 100'000U).help("at most so many");
    declare_ask(table, options.ask);
}

int run_cost_list(ListOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto records = all_pages(
        *server, "/api/v1/costs",
        {{"task", options.task},
         {"bee", options.bee},
         {"model", options.model},
         {"run", options.run},
         {"from", options.from},
         {"to", options.to},
         {"limit", std::to_string(std::min(options.limit, 1000U))}},
        options.limit);
    if (!records) return report(call.host, records.error());
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", *records}}) << '\n';
        return exit_ok;
    }
    if (records->empty()) call.host.err << "Nothing was booked.\n";
    TextTable table{{"AT", "BEE", "TASK", "MODEL", "TOKENS", "CPU S", "MONEY"}};
    for (const auto& item : *records) {
        const json::object& usage = item.as_object();
        table.add(
            {member_time(usage, "at"), member_text(usage, "bee"), member_text(usage, "taskRef"),
             printable(member_text(usage, "model"), 40), tokens_text(usage), cpu_text(usage),
             money_of(usage)});
    }
    call.host.out << table.text();
    return exit_ok;
}

// Of each currency by itself.
std::string all_money_of(const json::object& sum) {
    std::string out = money_of(sum);
    const auto* others = sum.if_contains("otherMoney");
    if (others == nullptr) return out;
    for (const auto& [currency, micros] : others->as_object()) {
        out += fmt::format(
            ", {} {}", money_text(micros.to_number<std::int64_t>()), std::string_view{currency});
    }
    return out;
}

struct SummaryOptions {
    AskOptions ask{};
    std::string by = "day";
    std::string from{};
    std::string to{};
};

void declare_summary(OptionTable& table, SummaryOptions& options) {
    table.add_flag("by", options.by)
        .value_name("WHAT")
        .suggests({"task", "bee", "model", "day"})
        .help("task, bee, model or day");
    table.add_flag("from", options.from).value_name("TIME").help("RFC 3339");
    table.add_flag("to", options.to).value_name("TIME").help("before this time");
    declare_ask(table, options.ask);
}

int run_summary(SummaryOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto sums = all_pages(
        *server, "/api/v1/costs/summary",
        {{"by", options.by}, {"from", options.from}, {"to", options.to}});
    if (!sums) return report(call.host, sums.error());
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", *sums}}) << '\n';
        return exit_ok;
    }
    TextTable table{{options.by, "RECORDS", "TOKENS", "CPU S", "MONEY"}};
    for (const auto& item : *sums) {
        const json::object& sum = item.as_object();
        std::string name = member_text(sum, sum.contains("taskRef") ? "taskRef" : options.by);
        if (name.empty()) name = "-";
        table.add(
            {printable(name, 60), member_text(sum, "records"), tokens_text(sum), cpu_text(sum),
             all_money_of(sum)});
    }
    call.host.out << table.text();
    return exit_ok;
}

} // namespace

std::string money_of(const json::object& object) {
    const std::string currency = member_text(object, "currency");
    const std::string amount = money_text(number_in(object, "micros"));
    return currency.empty() ? amount : amount + ' ' + currency;
}

std::string money_text(std::int64_t micros) {
    constexpr std::int64_t unit = 1'000'000;
    std::string text = fmt::format("{}.{:06}", micros / unit, micros % unit);
    // Two decimals at least, and no more than are needed.
    while (text.back() == '0' && text[text.size() - 3] != '.') text.pop_back();
    return text;
}

Command cost_command() {
    Command group{
        .text = {
            .name = "cost",
            .summary = "what work costs, and what it may cost",
            .description =
                "Records of what was used (tokens, CPU, money), the price table, and budgets that "
                "warn, ask or stop. Money is in the hive's currency.",
            .examples = {
                {"hive cost record --task TASK-9 --model small-1 --input 1200 --output 300",
                 "book a call"},
                {"hive cost summary --by bee", "who spent what"}}}};
    group.children.push_back(make_command<RecordOptions>(
        {.name = "record",
         .summary = "book what was used",
         .examples =
             {{"hive cost record --model small-1 --input 1200 --once call-7", "once"},
              {"hive cost record --file usage.json", "with OpenTelemetry's names"}}},
        declare_record, run_record));
    group.children.push_back(make_command<ListOptions>(
        {.name = "list",
         .summary = "records, the newest first",
         .examples = {{"hive cost list --task TASK-9", "what one task cost"}}},
        declare_cost_list, run_cost_list));
    group.children.push_back(make_command<SummaryOptions>(
        {.name = "summary",
         .summary = "sums by task, bee, model or day",
         .examples = {{"hive cost summary --by model --json", "for a script"}}},
        declare_summary, run_summary));
    group.children.push_back(cost_price_command());
    group.children.push_back(cost_budget_command());
    return group;
}

} // namespace hive::cli
