#include "cli/colony_commands.hpp"
#include "cli/event_lines.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct TaskListOptions {
    AskOptions ask{};
    std::string state{};
    std::string tag{};
    std::string holder{};
    std::string assigned{};
    std::string text{};
    std::string order{};
    std::uint32_t limit = 1000;
};

void declare_task_list(OptionTable& table, TaskListOptions& options) {
    table.add_flag("state", options.state)
        .value_name("STATE")
        .suggests(
            {"waiting", "pending", "claimed", "in_progress", "blocked", "in_review", "completed",
             "failed", "cancelled", "dead"})
        .help("only those in this state");
    table.add_flag("tag", options.tag).value_name("TAG").help("only those with this tag");
    table.add_flag("holder", options.holder).value_name("BEE").help("only what this bee works on");
    table.add_flag("assigned-to", options.assigned)
        .value_name("BEE")
        .help("only what is for this bee");
    table.add_flag("search", options.text).value_name("TEXT").help("only with this in the title");
    table.add_flag("order", options.order)
        .value_name("ORDER")
        .suggests({"newest", "next"})
        .help("newest first, or next: as they are taken, the most urgent first");
    table.add_flag("limit", options.limit).range(1U, 100'000U).help("at most so many");
    declare_ask(table, options.ask);
}

int run_task_list(TaskListOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto tasks = all_pages(
        *server, "/api/v1/tasks",
        {{"state", options.state},
         {"tag", options.tag},
         {"holder", options.holder},
         {"assignedTo", options.assigned},
         {"q", options.text},
         {"order", options.order},
         {"limit", std::to_string(std::min(options.limit, 1000U))}},
        options.limit);
    if (!tasks) return report(call.host, tasks.error());
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", *tasks}}) << '\n';
        return exit_ok;
    }
    if (tasks->empty()) {
        call.host.err << "There are no such tasks; 'hive task create TITLE' makes one.\n";
    }
    TextTable table{{"REF", "P", "STATE", "WHO", "AGE", "TITLE"}};
    for (const auto& item : *tasks) {
        const json::object& task = item.as_object();
        const auto* lease = task.if_contains("lease");
        const std::string who = lease != nullptr ? member_text(lease->as_object(), "holder")
                                                 : member_text(task, "assignedTo");
        table.add(
            {member_text(task, "ref"), "P" + member_text(task, "priority"),
             member_text(task, "state"), who, member_age(task, "createdAt", call.host.clock.wall()),
             printable(member_text(task, "title"), 100)});
    }
    call.host.out << table.text();
    return exit_ok;
}

struct OneTaskOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_task_one(OptionTable& table, OneTaskOptions& options) {
    table.add_positional("TASK", options.id).required().help("id or ref");
    declare_ask(table, options.ask);
}

int run_task_show(OneTaskOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(call.host, server->get(task_path(options.id)), options.ask.json, task_text);
}

struct WatchOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_watch(OptionTable& table, WatchOptions& options) {
    table.add_positional("TASK", options.id).help("ref or id; without it all tasks");
    declare_ask(table, options.ask);
}

std::string event_line(const json::object& event) {
    const auto member = [&](std::string_view name) {
        return printable(member_text(event, name), 200);
    };
    std::string line = fmt::format(
        "{} {:16} {:12} {:12} {}", member_time(event, "at"), member("event"), member("ref"),
        member("actor"), member("title"));
    for (const auto* more : {"note", "error"}) {
        if (const auto text = member(more); !text.empty()) line += ": " + text;
    }
    return line + "\n";
}

int run_task_watch(WatchOptions& options, Call& call) {
    const SignalWait signals;
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    std::string id;
    if (!options.id.empty()) {
        const auto task = server->get(task_path(options.id));
        if (!task) return report(call.host, task.error());
        id = member_text(task->as_object(), "id");
    }
    const std::string topics = id.empty() ? "task.#" : fmt::format("task.*.{}.#", id);
    return follow_events({call.host, *server, signals}, topics, [&](const json::object& event) {
        call.host.out << (options.ask.json ? to_text(event) + "\n" : event_line(event));
    });
}

} // namespace

std::string task_text(const json::object& task) {
    std::vector<std::pair<std::string, std::string>> fields;
    const auto add = [&](std::string_view label, const std::string& text) {
        fields.emplace_back(label, printable(text, 2000));
    };
    for (const auto* name : {"ref", "id", "title", "state", "outcome"}) {
        add(name, member_text(task, name));
    }
    add("priority", "P" + member_text(task, "priority"));
    for (const auto* name :
         {"assignedTo", "tags", "skills", "dependsOn", "waitingFor", "repeat", "timeZone",
          "percent", "note", "error"}) {
        add(name, member_text(task, name));
    }
    if (const auto* lease = task.if_contains("lease")) {
        add("holder", member_text(lease->as_object(), "holder"));
        add("lease ends", member_time(lease->as_object(), "ends"));
    }
    add("created", member_time(task, "createdAt") + " by " + member_text(task, "createdBy"));
    add("attempts", member_text(task, "attempts"));
    if (const auto* history = task.if_contains("history")) {
        for (const auto& item : history->as_array()) {
            const json::object& attempt = item.as_object();
            add("attempt",
                fmt::format(
                    "{} by {} {} {}", member_time(attempt, "began"), member_text(attempt, "bee"),
                    member_text(attempt, "end"), member_text(attempt, "error")));
        }
    }
    if (const auto* result = task.if_contains("result")) add("result", to_text(*result));
    std::string text = fields_text(fields);
    const std::string description = member_text(task, "description");
    if (!description.empty()) text += "\n" + printable(description, 100'000) + "\n";
    return text;
}

Command task_list_command() {
    return make_command<TaskListOptions>(
        {.name = "list",
         .summary = "show tasks, the newest first",
         .examples =
             {{"hive task list --state pending", "what waits to be taken"},
              {"hive task list --state dead --json", "what ran out of attempts, for a script"}}},
        declare_task_list, run_task_list);
}

Command task_show_command() {
    return make_command<OneTaskOptions>(
        {.name = "show",
         .summary = "one task with its attempts",
         .examples = {{"hive task show TASK-9", "everything about it"}}},
        declare_task_one, run_task_show);
}

Command task_watch_command() {
    return make_command<WatchOptions>(
        {.name = "watch",
         .summary = "what happens to tasks, as it happens",
         .examples =
             {{"hive task watch", "all tasks, until Ctrl-C"},
              {"hive task watch TASK-9 --json", "one of them, a JSON document a line"}}},
        declare_watch, run_task_watch);
}

} // namespace hive::cli
