// `hive message show`, `thread` and `read`.
#include "cli/colony_commands.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

std::string message_path(std::string_view id, std::string_view rest = "") {
    return fmt::format("/api/v1/messages/{}{}", percent_encoded(id), rest);
}

struct OneOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_message_one(OptionTable& table, OneOptions& options) {
    table.add_positional("MESSAGE", options.id).required().help("its id");
    declare_ask(table, options.ask);
}

int run_message_show(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->get(message_path(options.id)), options.ask.json, message_line);
}

int run_thread(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto thread = server->get(message_path(options.id, "/thread"));
    return print_answer(call.host, thread, options.ask.json, [](const json::object& page) {
        std::string out;
        for (const auto& item : page.at("items").as_array()) out += message_line(item.as_object());
        return out;
    });
}

struct ReadOptions {
    AskOptions ask{};
    std::string channel{};
    std::string message{};
};

void declare_read(OptionTable& table, ReadOptions& options) {
    table.add_positional("CHANNEL", options.channel).required().help("that I have read");
    table.add_flag("up-to", options.message)
        .value_name("MESSAGE")
        .help("the last one I have read; the newest unless said");
    declare_ask(table, options.ask);
}

int run_read(ReadOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const std::string channel = "/api/v1/channels/" + percent_encoded(options.channel);
    if (options.message.empty()) {
        const auto newest = server->get(channel + "/messages", {{"limit", "1"}});
        if (!newest) return report(call.host, newest.error());
        const auto& items = newest->at("items").as_array();
        if (items.empty()) {
            return report(
                call.host,
                Error{Errc::not_found, fmt::format("nothing was said in {} yet", options.channel)});
        }
        options.message = member_text(items.front().as_object(), "id");
    }
    const auto read = server->put(channel + "/cursor", json::object{{"message", options.message}});
    return print_answer(call.host, read, options.ask.json, [&](const json::object& cursor) {
        return fmt::format("read {} up to {}\n", options.channel, member_text(cursor, "message"));
    });
}

} // namespace

Command message_show_command() {
    return make_command<OneOptions>(
        {.name = "show",
         .summary = "one message",
         .examples = {{"hive message show ID --json", "with who acknowledged it"}}},
        declare_message_one, run_message_show);
}

Command message_thread_command() {
    return make_command<OneOptions>(
        {.name = "thread",
         .summary = "a message and all replies to it",
         .examples = {{"hive message thread ID", "the oldest first"}}},
        declare_message_one, run_thread);
}

Command message_read_command() {
    return make_command<ReadOptions>(
        {.name = "read",
         .summary = "say how far I have read a channel",
         .examples = {{"hive message read general", "all of it"}}},
        declare_read, run_read);
}

} // namespace hive::cli
