// `hive task update`, what is done to many tasks at once, and all of them at a glance.
#include "cli/colony_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <optional>

namespace hive::cli {
namespace {

using Words = std::vector<std::string>;
using Text = std::optional<std::string>;

struct UpdateOptions {
    AskOptions ask{};
    std::string id{};
    Text title{};
    Text description{};
    std::optional<std::int64_t> priority{};
    Words tags{};
    Words skills{};
    Words depends_on{};
    Text assigned_to{};
    Text not_before{};
    Text repeat{};
    Text time_zone{};
    Words cleared{};
};

void declare_task_update(OptionTable& table, UpdateOptions& options) {
    table.add_positional("TASK", options.id).required().help("id or ref");
    table.add_flag("title", options.title).value_name("TEXT").help("what is to be done");
    table.add_flag("description", options.description).value_name("TEXT").help("all about it");
    table.add_flag("priority", options.priority).range(0, 4).help("0 is the most urgent");
    table.add_flag("tag", options.tags).value_name("TAG").help("these instead of those it has");
    table.add_flag("skill", options.skills).value_name("SKILL").help("as well: these instead");
    table.add_flag("after", options.depends_on)
        .value_name("TASK")
        .help("it waits for these instead");
    table.add_flag("assign-to", options.assigned_to)
        .value_name("BEE")
        .help("only this bee may take it");
    table.add_flag("not-before", options.not_before).value_name("TIME").help("RFC 3339");
    table.add_flag("repeat", options.repeat).value_name("WHEN").help("1h, or five cron fields");
    table.add_flag("time-zone", options.time_zone)
        .value_name("ZONE")
        .help("of the cron fields, such as Europe/Berlin");
    table.add_flag("clear", options.cleared)
        .value_name("WHAT")
        .choices({"tags", "skills", "after", "assign-to", "not-before", "repeat", "time-zone"})
        .help("it has none any more");
    declare_ask(table, options.ask);
}

void clear(json::object& changes, const std::string& what) {
    if (what == "tags" || what == "skills") changes[what] = json::array{};
    if (what == "after") changes["dependsOn"] = json::array{};
    if (what == "assign-to") changes["assignedTo"] = "";
    if (what == "not-before") changes["notBefore"] = nullptr;
    if (what == "repeat") changes["repeat"] = "";
    if (what == "time-zone") changes["timeZone"] = "";
}

json::object changes_of(const UpdateOptions& options) {
    json::object changes;
    const auto put = [&](std::string_view name, const Text& text) {
        if (text) changes[name] = *text;
    };
    const auto put_all = [&](std::string_view name, const Words& words) {
        if (!words.empty()) changes[name] = json::value_from(words);
    };
    put("title", options.title);
    put("description", options.description);
    if (options.priority) changes["priority"] = *options.priority;
    put_all("tags", options.tags);
    put_all("skills", options.skills);
    put_all("dependsOn", options.depends_on);
    put("assignedTo", options.assigned_to);
    put("notBefore", options.not_before);
    put("repeat", options.repeat);
    put("timeZone", options.time_zone);
    for (const auto& what : options.cleared) clear(changes, what);
    return changes;
}

int run_task_update(UpdateOptions& options, Call& call) {
    const json::object changes = changes_of(options);
    if (changes.empty()) {
        return report(
            call.host, Error{Errc::invalid, "say what is to be changed, as --help has it"});
    }
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->patch(task_path(options.id), changes), options.ask.json, task_line);
}

struct CompleteAllOptions {
    AskOptions ask{};
    std::string file{};
};

void declare_complete_all(OptionTable& table, CompleteAllOptions& options) {
    table.add_positional("FILE", options.file)
        .required()
        .help("a YAML or JSON list of {task, token, note, result}");
    declare_ask(table, options.ask);
}

int run_complete_all(CompleteAllOptions& options, Call& call) {
    const auto document = read_document(options.file);
    if (!document) return report(call.host, document.error());
    if (!document->is_array()) {
        return report(
            call.host, Error{Errc::invalid, fmt::format("{}: not a list of tasks", options.file)});
    }
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto done = server->post("/api/v1/tasks/complete", json::object{{"tasks", *document}});
    return print_answer(call.host, done, options.ask.json, task_lines);
}

struct RedriveAllOptions {
    AskOptions ask{};
    std::string tag{};
    std::string note{};
    std::uint32_t limit = 100;
};

void declare_redrive_all(OptionTable& table, RedriveAllOptions& options) {
    table.add_flag("tag", options.tag).value_name("TAG").help("only with this tag");
    table.add_flag("note", options.note).value_name("TEXT").help("a word about it");
    table.add_flag("limit", options.limit).range(1U, 1000U).help("at most so many");
    declare_ask(table, options.ask);
}

int run_redrive_all(RedriveAllOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body{{"limit", options.limit}};
    if (!options.tag.empty()) body["tag"] = options.tag;
    if (!options.note.empty()) body["note"] = options.note;
    const auto driven = server->post("/api/v1/tasks/redrive", body);
    if (driven && driven->as_object().at("items").as_array().empty() && !options.ask.json) {
        call.host.err << "No task is dead.\n";
    }
    return print_answer(call.host, driven, options.ask.json, task_lines);
}

int run_counts(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto counts = server->get("/api/v1/tasks/counts");
    return print_answer(call.host, counts, options.json, [](const json::object& told) {
        TextTable table{{"STATE", "TASKS"}};
        for (const auto& [state, count] : told) table.add({std::string{state}, to_text(count)});
        return table.text();
    });
}

int run_machine(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto machine = server->get("/api/v1/tasks/machine");
    return print_answer(call.host, machine, options.json, [](const json::object& told) {
        TextTable table{{"FROM", "MOVE", "TO"}};
        for (const auto& item : told.at("transitions").as_array()) {
            const json::object& one = item.as_object();
            table.add({member_text(one, "from"), member_text(one, "move"), member_text(one, "to")});
        }
        return table.text();
    });
}

} // namespace

Command task_update_command() {
    return make_command<UpdateOptions>(
        {.name = "update",
         .summary = "change what is said of a task",
         .description = "Only what is named changes; lists are replaced as a whole.",
         .examples =
             {{"hive task update TASK-9 --priority 0 --tag hot", "it is urgent now"},
              {"hive task update TASK-9 --clear assign-to", "anybody may take it"}}},
        declare_task_update, run_task_update);
}

Command task_complete_all_command() {
    return make_command<CompleteAllOptions>(
        {.name = "complete-all",
         .summary = "say that many tasks are done, all or none",
         .examples = {{"hive task complete-all done.yaml", "up to 100 at once"}}},
        declare_complete_all, run_complete_all);
}

Command task_redrive_all_command() {
    return make_command<RedriveAllOptions>(
        {.name = "redrive-all",
         .summary = "try dead tasks again",
         .examples = {{"hive task redrive-all --tag perf", "those with a tag"}}},
        declare_redrive_all, run_redrive_all);
}

Command task_counts_command() {
    return make_command<AskOptions>(
        {.name = "counts",
         .summary = "how many tasks are in which state",
         .examples = {{"hive task counts --json", "for a script"}}},
        declare_ask, run_counts);
}

Command task_machine_command() {
    return make_command<AskOptions>(
        {.name = "machine",
         .summary = "which moves a task has in which state",
         .examples = {{"hive task machine", "the whole table"}}},
        declare_ask, run_machine);
}

} // namespace hive::cli
