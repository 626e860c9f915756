#include "cli/colony_commands.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct MoveOptions {
    AskOptions ask{};
    std::string id{};
    std::uint64_t token = 0;
    std::string note{};
    std::string result{};
    std::string error{};
    std::string lease{};
    std::string bee{};
    std::int64_t percent = -1;
    bool is_final = false;
};

// Something that is done to one task, as the server's path names it.
struct Move {
    std::string_view name;
    std::string_view summary;
    std::string_view example;
    bool held = false; // by whoever shows the token of the lease
};

constexpr Move moves[]{
    {"claim", "take a task", "hive task claim TASK-9"},
    {"heartbeat", "keep the lease of a task", "hive task heartbeat TASK-9 --token 4", true},
    {"progress", "say how far a task is", "hive task progress TASK-9 --token 4 --percent 40", true},
    {"complete", "say that a task is done", "hive task complete TASK-9 --token 4", true},
    {"fail", "say that an attempt failed", "hive task fail TASK-9 --token 4 --error 'no disk'",
     true},
    {"block", "say that a task cannot go on",
     "hive task block TASK-9 --token 4 --note 'needs a key'", true},
    {"release", "give a task back", "hive task release TASK-9 --token 4", true},
    {"unblock", "say that a task can go on", "hive task unblock TASK-9 --note 'key is here'"},
    {"cancel", "say that a task is not wanted any more", "hive task cancel TASK-9"},
    {"redrive", "try a dead, failed or cancelled task again", "hive task redrive TASK-9"},
    {"reopen", "say that a completed task is not done", "hive task reopen TASK-9"}};

void declare_move(OptionTable& table, MoveOptions& options, const Move& move) {
    table.add_positional("TASK", options.id).required().help("id or ref");
    if (move.held) {
        table.add_flag("token", options.token)
            .value_name("N")
            .help("of the lease, as claiming said; people may leave it out");
    }
    if (move.name == "claim") {
        table.add_flag("lease", options.lease)
            .value_name("TIME")
            .help("how long the lease lasts without a heartbeat, such as 10m");
        table.add_flag("bee", options.bee).value_name("ID").help("for another; people only");
    } else if (move.name == "fail") {
        table.add_flag("error", options.error)
            .required()
            .value_name("TEXT")
            .help("what went wrong");
        table.add_flag("final", options.is_final).help("do not try again");
    } else if (move.name != "heartbeat") {
        table.add_flag("note", options.note).value_name("TEXT").help("a word about it");
    }
    if (move.name == "progress") {
        table.add_flag("percent", options.percent).range(0, 100).help("how much is done");
    }
    if (move.name == "complete") {
        table.add_flag("result", options.result).value_name("JSON").help("what came of it");
    }
    declare_ask(table, options.ask);
}

Result<json::object> body_of(const MoveOptions& options) {
    json::object body;
    const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) body[name] = text;
    };
    if (options.token != 0) body["token"] = options.token;
    if (options.percent >= 0) body["percent"] = options.percent;
    put("note", options.note);
    put("error", options.error);
    put("leaseFor", options.lease);
    put("bee", options.bee);
    if (options.is_final) body["retryable"] = false;
    if (!options.result.empty()) {
        auto result = parse_json(options.result);
        if (!result) return fail(Errc::invalid, "--result is not JSON: " + result.error().detail);
        body["result"] = *std::move(result);
    }
    return body;
}

int run_move(MoveOptions& options, Call& call, const Move& move) {
    const auto body = body_of(options);
    if (!body) return report(call.host, body.error());
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer = server->post(task_path(options.id, fmt::format("/{}", move.name)), *body);
    return print_answer(call.host, answer, options.ask.json, task_line);
}

Command move_command(const Move& move) {
    auto options = std::make_shared<MoveOptions>();
    Command command{
        .text = {
            .name = std::string{move.name},
            .summary = std::string{move.summary},
            .examples = {{std::string{move.example}, std::string{move.summary}}}}};
    declare_move(command.options, *options, move);
    command.run = [options, &move](Call& call) { return run_move(*options, call, move); };
    return command;
}

} // namespace

void declare_ask(OptionTable& table, AskOptions& options) {
    declare_client_options(table, options.client);
    table.add_flag("json", options.json).help("answer for scripts");
}

Result<json::array> all_pages(
    ServerClient& server, const std::string& path, ServerClient::Query query, std::size_t most) {
    json::array all;
    query.emplace_back("cursor", "");
    do {
        auto page = server.get(path, query);
        if (!page) return fail(page.error());
        const json::object& found = page->as_object();
        for (const auto& item : found.at("items").as_array()) {
            if (all.size() < most) all.push_back(item);
        }
        query.back().second = member_text(found, "next");
    } while (!query.back().second.empty() && all.size() < most);
    return all;
}

std::string task_path(std::string_view id, std::string_view rest) {
    return fmt::format("/api/v1/tasks/{}{}", percent_encoded(id), rest);
}

int print_answer(
    Host& host, const Result<json::value>& answer, bool as_json,
    const std::function<std::string(const json::object&)>& text) {
    if (!answer) return report(host, answer.error());
    const json::object& told = answer->as_object();
    if (!as_json && told.size() == 2 && told.contains("approval") && told.contains("url")) {
        host.out << fmt::format("waits for approval {}\n", member_text(told, "approval"));
        return exit_ok;
    }
    host.out << (as_json ? to_text(told) + "\n" : text(told));
    return exit_ok;
}

std::string task_line(const json::object& task) {
    std::string line =
        fmt::format("{} is {}", member_text(task, "ref"), member_text(task, "state"));
    if (const auto* lease = task.if_contains("lease")) {
        const json::object& held = lease->as_object();
        line += " by " + member_text(held, "holder");
        const std::string token = member_text(held, "token");
        if (!token.empty()) line += ", lease token " + token;
        line += ", until " + member_time(held, "ends");
    }
    return line + "\n";
}

std::string task_lines(const json::object& answer) {
    std::string out;
    for (const auto& item : answer.at("items").as_array()) out += task_line(item.as_object());
    return out;
}

json::object settable(const json::object& thing, std::initializer_list<std::string_view> names) {
    json::object out;
    for (const auto name : names) {
        if (const auto* value = thing.if_contains(name)) out[name] = *value;
    }
    return out;
}

int remove_at(const std::string& path, const AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto gone = server->remove(path);
    if (!gone) return report(call.host, gone.error());
    if (options.json) call.host.out << "{}\n";
    return exit_ok;
}

void declare_toggle(OptionTable& table, ToggleOptions& options) {
    table.add_flag("enable", options.enable).help("it holds again");
    table.add_flag("disable", options.disable).help("it does not hold for now");
}

Status take_toggle(const ToggleOptions& options, json::object& body) {
    if (options.enable && options.disable) {
        return fail(Errc::invalid, "--enable or --disable, not both");
    }
    if (options.enable || options.disable) body["enabled"] = options.enable;
    return {};
}

Command task_command() {
    Command group{
        .text = {
            .name = "task",
            .summary = "make, take and finish tasks",
            .description =
                "Tasks are work for bees and people. Taking one gives a lease: it is back with the "
                "others when nothing is heard of it for too long. Every write shows the token of "
                "the lease, so that who lost a task cannot write about it.",
            .examples = {
                {"hive task create 'Measure the checkout' --priority 1", "a new task"},
                {"hive task next --skill cpp --wait 30s", "the next one I can do"},
                {"hive task watch", "what happens to tasks, live"}}}};
    group.children.push_back(task_list_command());
    group.children.push_back(task_show_command());
    group.children.push_back(task_create_command());
    group.children.push_back(task_next_command());
    group.children.push_back(task_update_command());
    for (const Move& move : moves) group.children.push_back(move_command(move));
    group.children.push_back(task_complete_all_command());
    group.children.push_back(task_redrive_all_command());
    group.children.push_back(task_comment_command());
    group.children.push_back(task_watch_command());
    group.children.push_back(task_counts_command());
    group.children.push_back(task_machine_command());
    return group;
}

} // namespace hive::cli
