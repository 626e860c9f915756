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

constexpr std::string_view rules_path = "/api/v1/approval-rules";

using Words = std::vector<std::string>;

std::string rule_line(const json::object& rule) {
    return fmt::format(
        "{} {} {}: {}\n", member_text(rule, "id"), member_text(rule, "effect"),
        member_text(rule.at("match").as_object(), "acts"),
        printable(member_text(rule, "name"), 100));
}

int run_approval_rule_list(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(std::string{rules_path});
    return print_answer(call.host, answer, options.json, [](const json::object& page) {
        TextTable table{{"ID", "RANK", "ON", "EFFECT", "ACTS", "NAME"}};
        for (const auto& item : page.at("items").as_array()) {
            const json::object& rule = item.as_object();
            table.add(
                {member_text(rule, "id"), member_text(rule, "rank"),
                 rule.at("enabled").as_bool() ? "yes" : "no", member_text(rule, "effect"),
                 member_text(rule.at("match").as_object(), "acts"),
                 printable(member_text(rule, "name"), 60)});
        }
        return table.text();
    });
}

struct OneRuleOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_approval_rule_one(OptionTable& table, OneRuleOptions& options) {
    table.add_positional("ID", options.id).required().help("of the rule");
    declare_ask(table, options.ask);
}

std::string path_of(const OneRuleOptions& options) {
    return fmt::format("{}/{}", rules_path, percent_encoded(options.id));
}

int run_approval_rule_show(OneRuleOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->get(path_of(options));
    return print_answer(call.host, answer, true, rule_line); // a rule is a document
}

int run_approval_rule_remove(OneRuleOptions& options, Call& call) {
    return remove_at(path_of(options), options.ask, call);
}

struct NewRuleOptions {
    AskOptions ask{};
    std::string name{};
    std::string file{};
    Words acts{};
    Words tags{};
    Words tasks{};
    Words channels{};
    Words swarms{};
    Words from{};
    Words roles{};
    Words people{};
    std::optional<std::uint32_t> quorum{};
    std::string within{};
    Words escalate{};
    std::string effect{};
    std::optional<std::uint32_t> rank{};
};

void declare_rule(OptionTable& table, NewRuleOptions& options) {
    table.add_flag("act", options.acts)
        .value_name("PATTERN")
        .help("such as task.complete, channel.post, swarm.start, task.*");
    table.add_flag("tag", options.tags).value_name("TAG").help("only with this tag");
    table.add_flag("task", options.tasks).value_name("PATTERN").help("only these refs");
    table.add_flag("channel", options.channels).value_name("PATTERN").help("only these channels");
    table.add_flag("swarm", options.swarms).value_name("PATTERN").help("only these swarms");
    table.add_flag("from", options.from).value_name("ROLE").help("only when these act");
    table.add_flag("role", options.roles).value_name("ROLE").help("who decides, by role");
    table.add_flag("person", options.people).value_name("ID").help("who decides, by name");
    table.add_flag("quorum", options.quorum)
        .range(1U, 20U)
        .help("so many have to agree; 1 unless said");
    table.add_flag("within", options.within)
        .value_name("TIME")
        .help("then the next decide, or it is denied; 24h");
    table.add_flag("escalate-to", options.escalate)
        .value_name("PERSON")
        .help("who decides when the time is over, one after another");
    table.add_flag("effect", options.effect)
        .value_name("EFFECT")
        .suggests({"ask", "allow", "deny"})
        .help("ask unless said");
    table.add_flag("rank", options.rank)
        .range(0U, 1'000'000U)
        .help("the lowest match decides; 100 unless said");
    table.add_flag("file", options.file)
        .value_name("FILE")
        .help("the whole rule as YAML or JSON, as the API takes it");
    declare_ask(table, options.ask);
}

void declare_new(OptionTable& table, NewRuleOptions& options) {
    table.add_positional("NAME", options.name).help("what people call the rule");
    declare_rule(table, options);
}

void put_words(json::object& into, std::string_view name, const Words& words) {
    if (!words.empty()) into[name] = json::value_from(words);
}

json::array stages_of(const NewRuleOptions& options) {
    json::object first{{"quorum", options.quorum.value_or(1)}};
    put_words(first, "roles", options.roles);
    put_words(first, "people", options.people);
    if (!options.within.empty()) first["within"] = options.within;
    json::array stages{std::move(first)};
    for (const auto& person : options.escalate) {
        json::object next{{"people", {person}}};
        if (!options.within.empty()) next["within"] = options.within;
        stages.push_back(std::move(next));
    }
    return stages;
}

// Writes what was said over what there is.
Status take_rule(const NewRuleOptions& options, json::object& rule) {
    if (rule["match"].is_null()) rule["match"].emplace_object();
    json::object& match = rule["match"].as_object();
    put_words(match, "acts", options.acts);
    put_words(match, "tags", options.tags);
    put_words(match, "tasks", options.tasks);
    put_words(match, "channels", options.channels);
    put_words(match, "swarms", options.swarms);
    put_words(match, "from", options.from);
    if (!options.name.empty()) rule["name"] = options.name;
    if (options.rank) rule["rank"] = *options.rank;
    if (!options.effect.empty()) rule["effect"] = options.effect;
    if (!options.roles.empty() || !options.people.empty()) {
        rule["stages"] = stages_of(options);
    } else if (options.quorum || !options.within.empty() || !options.escalate.empty()) {
        return fail(
            Errc::invalid, "--quorum, --within and --escalate-to go with --role or --person");
    }
    return {};
}

Result<json::value> rule_from(const NewRuleOptions& options, json::object rule) {
    if (!options.file.empty()) return read_document(options.file);
    if (auto ok = take_rule(options, rule); !ok) return fail(ok.error());
    return rule;
}

int run_approval_rule_create(NewRuleOptions& options, Call& call) {
    if (options.name.empty() == options.file.empty()) {
        return report(call.host, Error{Errc::invalid, "give a name, or --file with the rule"});
    }
    const auto rule = rule_from(options, {});
    if (!rule) return report(call.host, rule.error());
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto made = server->post(std::string{rules_path}, *rule);
    return print_answer(call.host, made, options.ask.json, rule_line);
}

struct UpdateRuleOptions {
    NewRuleOptions rule{};
    std::string id{};
    ToggleOptions toggle{};
};

void declare_approval_rule_update(OptionTable& table, UpdateRuleOptions& options) {
    table.add_positional("ID", options.id).required().help("of the rule");
    table.add_flag("name", options.rule.name).value_name("TEXT").help("what people call it");
    declare_toggle(table, options.toggle);
    declare_rule(table, options.rule);
}

int run_approval_rule_update(UpdateRuleOptions& options, Call& call) {
    auto server = reach_server(options.rule.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const std::string path = fmt::format("{}/{}", rules_path, percent_encoded(options.id));
    const auto before = server->get(path);
    if (!before) return report(call.host, before.error());
    auto rule = rule_from(
        options.rule,
        settable(before->as_object(), {"name", "rank", "enabled", "effect", "match", "stages"}));
    if (!rule) return report(call.host, rule.error());
    if (!rule->is_object()) return report(call.host, Error{Errc::invalid, "the file has no rule"});
    if (auto ok = take_toggle(options.toggle, rule->as_object()); !ok) {
        return report(call.host, ok.error());
    }
    const auto revision = before->at("revision").to_number<std::uint64_t>();
    return print_answer(
        call.host, server->put(path, *rule, revision), options.rule.ask.json, rule_line);
}

} // namespace

Command approval_rule_command() {
    Command group{
        .text = {
            .name = "rule",
            .summary = "which acts need an approval, and whose",
            .examples = {
                {"hive approval rule create starts --act swarm.start --role human",
                 "another person has to agree"}}}};
    group.children.push_back(make_command<AskOptions>(
        {.name = "list",
         .summary = "all rules in the order they are asked",
         .examples = {{"hive approval rule list", "as a table"}}},
        declare_ask, run_approval_rule_list));
    group.children.push_back(make_command<OneRuleOptions>(
        {.name = "show",
         .summary = "one rule, as a document",
         .examples = {{"hive approval rule show ID", "everything about it"}}},
        declare_approval_rule_one, run_approval_rule_show));
    group.children.push_back(make_command<NewRuleOptions>(
        {.name = "create",
         .summary = "make a rule",
         .examples =
             {{"hive approval rule create review --act task.complete --role human",
               "people look at what bees finish"},
              {"hive approval rule create --file rule.yaml", "with everything a rule can have"}}},
        declare_new, run_approval_rule_create));
    group.children.push_back(make_command<UpdateRuleOptions>(
        {.name = "update",
         .summary = "change a rule, enable or disable it",
         .description = "Only what is named changes. Requests under way stay as they were asked.",
         .examples =
             {{"hive approval rule update ID --role admin --quorum 2", "two of them from now on"},
              {"hive approval rule update ID --disable", "it asks nobody for now"}}},
        declare_approval_rule_update, run_approval_rule_update));
    group.children.push_back(make_command<OneRuleOptions>(
        {.name = "remove",
         .summary = "it asks nobody any more",
         .examples = {{"hive approval rule remove ID", "requests under way stay"}}},
        declare_approval_rule_one, run_approval_rule_remove));
    return group;
}

} // namespace hive::cli
