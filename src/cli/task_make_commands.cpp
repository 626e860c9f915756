#include "cli/colony_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/duration.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

namespace hive::cli {
namespace {

using Words = std::vector<std::string>;

struct TaskCreateOptions {
    AskOptions ask{};
    std::string title{};
    std::string ref{};
    std::string description{};
    std::int64_t priority = 2;
    Words tags{};
    Words skills{};
    Words depends_on{};
    std::string assigned_to{};
    std::string not_before{};
    std::string repeat{};
    std::string time_zone{};
    std::string unique{};
    std::uint32_t attempts = 0;
    std::string file{};
};

void declare_task_create(OptionTable& table, TaskCreateOptions& options) {
    table.add_positional("TITLE", options.title).help("what is to be done, in a line");
    table.add_flag("description", options.description).value_name("TEXT").help("all about it");
    table.add_flag("priority", options.priority).range(0, 4).help("0 is the most urgent");
    table.add_flag("tag", options.tags).value_name("TAG").help("to find it by");
    table.add_flag("skill", options.skills)
        .value_name("SKILL")
        .help("what a bee must have to take it");
    table.add_flag("after", options.depends_on)
        .value_name("TASK")
        .help("it waits until this one is completed");
    table.add_flag("assign-to", options.assigned_to)
        .value_name("BEE")
        .help("only this bee may take it");
    table.add_flag("not-before", options.not_before).value_name("TIME").help("RFC 3339");
    table.add_flag("repeat", options.repeat)
        .value_name("WHEN")
        .help("again and again: 1h, or five cron fields");
    table.add_flag("time-zone", options.time_zone)
        .value_name("ZONE")
        .help("of the cron fields, such as Europe/Berlin; UTC unless said");
    table.add_flag("unique", options.unique)
        .value_name("KEY")
        .help("refuse it while another with this key is not over");
    table.add_flag("attempts", options.attempts)
        .range(0U, 100U)
        .help("before it is dead; 0: as usual");
    table.add_flag("ref", options.ref).value_name("REF").help("what to call it; else TASK-<n>");
    table.add_flag("file", options.file)
        .value_name("FILE")
        .help("many at once: a YAML or JSON list of tasks as the API takes them");
    declare_ask(table, options.ask);
}

json::object task_of(const TaskCreateOptions& options) {
    json::object task{{"title", options.title}, {"priority", options.priority}};
    const auto put = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) task[name] = text;
    };
    const auto put_all = [&](std::string_view name, const Words& words) {
        if (!words.empty()) task[name] = json::value_from(words);
    };
    put("ref", options.ref);
    put("description", options.description);
    put("assignedTo", options.assigned_to);
    put("notBefore", options.not_before);
    put("repeat", options.repeat);
    put("timeZone", options.time_zone);
    put("uniqueKey", options.unique);
    put_all("tags", options.tags);
    put_all("skills", options.skills);
    put_all("dependsOn", options.depends_on);
    if (options.attempts > 0) task["retry"] = {{"attempts", options.attempts}};
    return task;
}

int create_from_file(TaskCreateOptions& options, Call& call, ServerClient& server) {
    auto document = read_document(options.file);
    if (!document) return report(call.host, document.error());
    if (!document->is_array()) {
        return report(
            call.host, Error{Errc::invalid, fmt::format("{}: not a list of tasks", options.file)});
    }
    const auto made = server.post("/api/v1/tasks/bulk", json::object{{"tasks", *document}});
    return print_answer(call.host, made, options.ask.json, task_lines);
}

int run_task_create(TaskCreateOptions& options, Call& call) {
    if (options.title.empty() == options.file.empty()) {
        return report(call.host, Error{Errc::invalid, "give a title, or --file with many tasks"});
    }
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    if (!options.file.empty()) return create_from_file(options, call, *server);
    const auto made = server->post("/api/v1/tasks", task_of(options));
    return print_answer(call.host, made, options.ask.json, task_line);
}

struct TaskNextOptions {
    AskOptions ask{};
    Words skills{};
    Words tags{};
    std::uint32_t count = 1;
    Duration wait{};
    Duration lease = std::chrono::minutes{5};
};

void declare_next(OptionTable& table, TaskNextOptions& options) {
    table.add_flag("skill", options.skills).value_name("SKILL").help("what I can");
    table.add_flag("tag", options.tags).value_name("TAG").help("only with this tag");
    table.add_flag("count", options.count).range(1U, 100U).help("at most so many");
    table.add_flag("wait", options.wait)
        .range(Duration::zero(), std::chrono::minutes{1})
        .help("for work to come, at most 1m");
    table.add_flag("lease", options.lease)
        .range(std::chrono::seconds{1}, std::chrono::hours{24})
        .help("how long the lease lasts without a heartbeat");
    declare_ask(table, options.ask);
}

int run_next(TaskNextOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    server->patience = options.wait + std::chrono::seconds{30};
    const json::object wish{
        {"skills", json::value_from(options.skills)},
        {"tags", json::value_from(options.tags)},
        {"count", options.count},
        {"wait", format_duration(options.wait)},
        {"leaseFor", format_duration(options.lease)}};
    const auto got = server->post("/api/v1/tasks/claim-next", wish);
    if (got && got->as_object().at("items").as_array().empty() && !options.ask.json) {
        call.host.err << "There is nothing to do.\n";
        return exit_check_failed;
    }
    return print_answer(call.host, got, options.ask.json, task_lines);
}

struct CommentOptions {
    AskOptions ask{};
    std::string id{};
    std::string text{};
};

void declare_comment(OptionTable& table, CommentOptions& options) {
    table.add_positional("TASK", options.id).required().help("id or ref");
    table.add_positional("TEXT", options.text).required().help("what to say");
    declare_ask(table, options.ask);
}

int run_comment(CommentOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto said =
        server->post(task_path(options.id, "/comments"), json::object{{"text", options.text}});
    return print_answer(call.host, said, options.ask.json, [](const json::object& message) {
        return fmt::format("said in {}\n", member_text(message, "channel"));
    });
}

} // namespace

Command task_create_command() {
    return make_command<TaskCreateOptions>(
        {.name = "create",
         .summary = "make a task, or many from a file",
         .examples =
             {{"hive task create 'Measure the checkout' --priority 1 --skill cpp", "one task"},
              {"hive task create 'Ship it' --after TASK-9", "one that waits for another"},
              {"hive task create --file tasks.yaml", "many, all or none"}}},
        declare_task_create, run_task_create);
}

Command task_next_command() {
    return make_command<TaskNextOptions>(
        {.name = "next",
         .summary = "take the most urgent task that I can do",
         .description = "Exit code 1: there was nothing to do.",
         .examples = {{"hive task next --skill cpp --wait 30s", "waits for one"}}},
        declare_next, run_next);
}

Command task_comment_command() {
    return make_command<CommentOptions>(
        {.name = "comment",
         .summary = "say something in the channel of a task",
         .examples =
             {{"hive task comment TASK-9 'looks good'", "everyone who watches it sees it"}}},
        declare_comment, run_comment);
}

} // namespace hive::cli
