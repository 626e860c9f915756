#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "cli/webhook_commands.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

std::string state_of(const json::object& webhook) {
    if (member_text(webhook, "enabled") != "true") {
        const std::string why = member_text(webhook, "disabledBecause");
        return why.empty() ? "disabled" : fmt::format("disabled: {}", why);
    }
    return webhook.contains("failingSince") ? "failing" : "enabled";
}

int run_webhook_list(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto webhooks = all_pages(*server, "/api/v1/webhooks", {});
    if (!webhooks) return report(call.host, webhooks.error());
    if (options.json) {
        call.host.out << to_text(json::object{{"items", *webhooks}}) << '\n';
        return exit_ok;
    }
    if (webhooks->empty()) {
        call.host.err << "Nobody outside is told anything. Begin with: hive webhook create URL\n";
    }
    TextTable table{{"WEBHOOK", "STATE", "EVENTS", "FORMAT", "URL"}};
    for (const auto& item : *webhooks) {
        const json::object& webhook = item.as_object();
        table.add(
            {member_text(webhook, "id"), state_of(webhook),
             printable(member_text(webhook, "events"), 60), member_text(webhook, "format"),
             printable(member_text(webhook, "url"), 80)});
    }
    call.host.out << table.text();
    return exit_ok;
}

int run_webhook_show(OneWebhookOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->get(webhook_path(options.id)), options.ask.json, webhook_text);
}

int run_webhook_remove(OneWebhookOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->remove(webhook_path(options.id)), options.ask.json,
        [](const json::object& gone) {
            return fmt::format("{} is removed\n", member_text(gone, "id"));
        });
}

} // namespace

void declare_one_webhook(OptionTable& table, OneWebhookOptions& options) {
    table.add_positional("WEBHOOK", options.id).required().help("its id");
    declare_ask(table, options.ask);
}

std::string webhook_path(std::string_view id, std::string_view rest) {
    return fmt::format("/api/v1/webhooks/{}{}", percent_encoded(id), rest);
}

std::string webhook_text(const json::object& webhook) {
    std::vector<std::pair<std::string, std::string>> fields{
        {"id", member_text(webhook, "id")},
        {"url", printable(member_text(webhook, "url"), 2000)},
        {"events", printable(member_text(webhook, "events"), 2000)},
        {"format", member_text(webhook, "format")},
        {"state", state_of(webhook)},
        {"created", member_time(webhook, "createdAt")}};
    if (webhook.contains("description")) {
        fields.emplace_back("description", printable(member_text(webhook, "description"), 1000));
    }
    for (const auto& [name, label] :
         {std::pair{"failingSince", "failing since"},
          {"lastArrival", "last arrival"},
          {"rotationUntil", "old secret until"}}) {
        if (webhook.contains(name)) fields.emplace_back(label, member_time(webhook, name));
    }
    return fields_text(fields);
}

std::string webhook_with_secret(const json::object& webhook) {
    return webhook_text(webhook) +
           fmt::format(
               "\nIts secret, shown only now; the receiver checks signatures with it:\n{}\n",
               member_text(webhook, "secret"));
}

Command webhook_command() {
    Command group{
        .text = {
            .name = "webhook",
            .summary = "tell others outside what happens",
            .examples = {
                {"hive webhook create https://ci.example/hive --event 'task.*'",
                 "tell a server of all that happens to tasks"},
                {"hive webhook deliveries ID --state failed", "what did not arrive"}}}};
    group.children.push_back(webhook_create_command());
    group.children.push_back(make_command<AskOptions>(
        {.name = "list",
         .summary = "all webhooks",
         .examples = {{"hive webhook list --json", "for a script"}}},
        declare_ask, run_webhook_list));
    group.children.push_back(make_command<OneWebhookOptions>(
        {.name = "show",
         .summary = "one webhook and how it goes",
         .examples = {{"hive webhook show ID", "everything but its secret"}}},
        declare_one_webhook, run_webhook_show));
    group.children.push_back(webhook_update_command());
    group.children.push_back(make_command<OneWebhookOptions>(
        {.name = "remove",
         .summary = "remove a webhook and its deliveries",
         .examples = {{"hive webhook remove ID", "it is told nothing any more"}}},
        declare_one_webhook, run_webhook_remove));
    group.children.push_back(webhook_rotate_command());
    group.children.push_back(webhook_deliveries_command());
    group.children.push_back(webhook_replay_command());
    group.children.push_back(webhook_test_command());
    return group;
}

} // namespace hive::cli
