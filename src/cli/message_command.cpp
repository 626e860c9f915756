#include "cli/colony_commands.hpp"
#include "cli/commands.hpp"
#include "cli/event_lines.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

std::string channel_path(std::string_view channel, std::string_view rest) {
    return fmt::format("/api/v1/channels/{}{}", percent_encoded(channel), rest);
}

struct SendOptions {
    AskOptions ask{};
    std::string channel{};
    std::string text{};
    std::string type{};
    std::string reply_to{};
    std::vector<std::string> tags{};
    std::vector<std::string> ack_from{};
    std::string ack_within{};
};

void declare_send(OptionTable& table, SendOptions& options) {
    table.add_positional("CHANNEL", options.channel)
        .required()
        .help("general, task:<ref>, bee:<id>, or a name");
    table.add_positional("TEXT", options.text).required().help("what to say");
    table.add_flag("type", options.type)
        .value_name("WORD")
        .suggests({"text", "progress", "request", "response"})
        .help("what kind of message; text when left out");
    table.add_flag("reply-to", options.reply_to).value_name("ID").help("a message in that channel");
    table.add_flag("tag", options.tags).value_name("TAG").help("such as #blocker");
    table.add_flag("ack-from", options.ack_from)
        .value_name("BEE")
        .help("who has to acknowledge it");
    table.add_flag("ack-within", options.ack_within)
        .value_name("TIME")
        .help("by when, such as 30m");
    declare_ask(table, options.ask);
}

int run_send(SendOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body{{"content", options.text}};
    const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) body[name] = text;
    };
    put("type", options.type);
    put("replyTo", options.reply_to);
    put("ackWithin", options.ack_within);
    if (!options.tags.empty()) body["tags"] = json::value_from(options.tags);
    if (!options.ack_from.empty()) body["ackFrom"] = json::value_from(options.ack_from);
    const auto said = server->post(channel_path(options.channel, "/messages"), body);
    return print_answer(call.host, said, options.ask.json, message_line);
}

struct ListOptions {
    AskOptions ask{};
    std::string channel{};
    std::uint32_t lines = 50;
    bool follow = false;
};

void declare_message_list(OptionTable& table, ListOptions& options) {
    table.add_positional("CHANNEL", options.channel).help("without it: which channels there are");
    table.add_flag("lines", options.lines).range(1U, 1000U).help("so many of the newest");
    table.add_flag("follow", options.follow).help("go on with what comes, until Ctrl-C");
    declare_ask(table, options.ask);
}

int list_channels(ListOptions& options, Call& call, ServerClient& server) {
    const auto all = all_pages(server, "/api/v1/channels", {});
    if (!all) return report(call.host, all.error());
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", *all}}) << '\n';
        return exit_ok;
    }
    if (all->empty()) call.host.err << "Nobody has said anything yet.\n";
    TextTable table{{"CHANNEL", "MESSAGES", "UNREAD", "LAST"}};
    for (const auto& item : *all) {
        const json::object& one = item.as_object();
        table.add(
            {member_text(one, "name"), member_text(one, "messages"), member_text(one, "unread"),
             member_age(one, "changedAt", call.host.clock.wall())});
    }
    call.host.out << table.text();
    return exit_ok;
}

int run_message_list(ListOptions& options, Call& call) {
    std::optional<SignalWait> signals;
    if (options.follow) signals.emplace();
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    if (options.channel.empty()) return list_channels(options, call, *server);
    const auto page = server->get(
        channel_path(options.channel, "/messages"), {{"limit", std::to_string(options.lines)}});
    if (!page) return report(call.host, page.error());
    auto items = page->as_object().at("items").as_array();
    std::ranges::reverse(items);
    const auto print = [&](const json::object& message) {
        call.host.out << (options.ask.json ? to_text(message) + "\n" : message_line(message));
    };
    for (const auto& item : items) print(item.as_object());
    if (!options.follow) return exit_ok;
    call.host.out.flush();
    return follow_events(
        {call.host, *server, *signals}, "message.new.#", [&](const json::object& event) {
            const json::object& message = event.at("message").as_object();
            if (member_text(message, "channel") == options.channel) print(message);
        });
}

struct AckOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_ack(OptionTable& table, AckOptions& options) {
    table.add_positional("MESSAGE", options.id).required().help("its id");
    declare_ask(table, options.ask);
}

int run_ack(AckOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto done =
        server->post(fmt::format("/api/v1/messages/{}/ack", percent_encoded(options.id)));
    return print_answer(call.host, done, options.ask.json, message_line);
}

} // namespace

std::string message_line(const json::object& message) {
    return fmt::format(
        "{} {:12} {}: {}\n", member_time(message, "createdAt"), member_text(message, "channel"),
        member_text(message, "sender"), printable(member_text(message, "content"), 4000));
}

Command message_command() {
    Command group{
        .text = {
            .name = "message",
            .summary = "talk in channels",
            .examples = {
                {"hive message send general 'Starting with TASK-9'", "everyone can read it"},
                {"hive message list task:TASK-9 --follow", "what is said about a task, live"}}}};
    group.children.push_back(make_command<SendOptions>(
        {.name = "send",
         .summary = "say something in a channel",
         .examples =
             {{"hive message send bee:BEE-001 'Stop, please' --ack-within 15m",
               "to one bee, which has to acknowledge it"}}},
        declare_send, run_send));
    group.children.push_back(make_command<ListOptions>(
        {.name = "list",
         .summary = "channels, or what was said in one",
         .examples = {{"hive message list general --follow", "live"}}},
        declare_message_list, run_message_list));
    group.children.push_back(make_command<AckOptions>(
        {.name = "ack",
         .summary = "acknowledge a message",
         .examples = {{"hive message ack 0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12", "I have seen it"}}},
        declare_ack, run_ack));
    group.children.push_back(message_show_command());
    group.children.push_back(message_thread_command());
    group.children.push_back(message_read_command());
    return group;
}

} // namespace hive::cli
