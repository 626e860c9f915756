#include "cli/colony_commands.hpp"
#include "cli/commands.hpp"
#include "cli/event_lines.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/sync_explaining.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

std::string findings_text(const json::object& answer) {
    std::string out;
    const auto* findings = answer.if_contains("findings");
    if (findings == nullptr || !findings->is_array()) return out;
    for (const auto& item : findings->as_array()) {
        const json::object& finding = item.as_object();
        out += fmt::format(
            "{}: {} ({})\n", printable(member_text(finding, "path"), 300),
            printable(member_text(finding, "reason"), 300), member_text(finding, "code"));
    }
    return out;
}

std::string status_text(const json::object& status) {
    if (!status.at("enabled").as_bool()) {
        return "No files are kept in step here; start the server with --deia DIR, or beside a "
               ".deia directory.\n";
    }
    std::vector<std::pair<std::string, std::string>> fields;
    for (const auto* name :
         {"root", "policy", "watching", "files", "tasks", "waiting", "conflicts", "lastError"}) {
        fields.emplace_back(name, printable(member_text(status, name), 300));
    }
    fields.emplace_back("last scan", member_time(status, "lastScan"));
    fields.emplace_back("last pull", member_time(status, "lastPull"));
    fields.emplace_back("last push", member_time(status, "lastPush"));
    fields.emplace_back("findings", member_text(status, "findingCount"));
    return fields_text(fields) + findings_text(status);
}

std::string pass_text(const json::object& pass) {
    std::string out;
    const auto put = [&](std::string_view list, std::string_view mark) {
        const auto* items = pass.if_contains(list);
        if (items == nullptr) return;
        for (const auto& item : items->as_array()) {
            const json::object& one = item.as_object();
            out += fmt::format(
                "{}{}: {}\n", mark, printable(member_text(one, "path"), 300),
                printable(member_text(one, "what"), 300));
        }
    };
    put("changes", "");
    put("conflicts", "conflict ");
    const bool dry = pass.contains("dryRun") && pass.at("dryRun").as_bool();
    out += fmt::format(
        "{}{} files looked at, {} {}, {} conflicts.\n", dry ? "Nothing was done. " : "",
        member_text(pass, "files"), member_text(pass, "changed"), dry ? "would change" : "changed",
        member_text(pass, "conflictCount"));
    return out;
}

int run_status(AskOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(call.host, server->get("/api/v1/sync/status"), options.json, status_text);
}

struct PassOptions {
    AskOptions ask{};
    bool dry_run = false;
};

void declare_pass(OptionTable& table, PassOptions& options) {
    table.add_flag("dry-run", options.dry_run).help("say what would happen, and do nothing");
    declare_ask(table, options.ask);
}

int run_pass(PassOptions& options, Call& call, const std::string& direction) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    server->patience = std::chrono::minutes{5};
    const auto done =
        server->post("/api/v1/sync/" + direction, json::object{{"dryRun", options.dry_run}});
    return print_answer(call.host, done, options.ask.json, pass_text);
}
int run_pull(PassOptions& options, Call& call) {
    return run_pass(options, call, "pull");
}
int run_push(PassOptions& options, Call& call) {
    return run_pass(options, call, "push");
}

// `pulled 2 files: hive/tasks/a.md, hive/tasks/b.md`.
std::string pass_line(const json::object& event, std::string_view verb) {
    constexpr std::size_t named_max = 5;
    const std::string count = member_text(event, "count");
    std::string line = fmt::format("{} {} {}", verb, count, count == "1" ? "file" : "files");
    std::string_view before = ": ";
    std::size_t named = 0;
    const auto* files = event.if_contains("files");
    if (files == nullptr || !files->is_array()) return line;
    for (const auto& file : files->as_array()) {
        if (named++ == named_max) return line + ", ...";
        line += before;
        line += printable(file.as_string(), 300);
        before = ", ";
    }
    return line;
}

std::string event_line(const json::object& event) {
    const std::string type = member_text(event, "event");
    std::string said = type;
    if (type == "sync.pulled" || type == "sync.pushed") {
        said = pass_line(event, type == "sync.pulled" ? "pulled" : "pushed");
    } else if (type == "sync.conflict") {
        said = fmt::format(
            "conflict: {} of {} stays as the {} has it ({})", member_text(event, "field"),
            printable(member_text(event, "ref"), 200),
            member_text(event, "winner") == "file" ? "file" : "colony",
            printable(member_text(event, "path"), 300));
    } else if (type == "sync.swept") {
        said = fmt::format("swept {} old versions", member_text(event, "count"));
    }
    return fmt::format("{} {}\n", member_time(event, "at"), said);
}

int run_sync_watch(AskOptions& options, Call& call) {
    const SignalWait signals;
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return follow_events({call.host, *server, signals}, "sync.#", [&](const json::object& event) {
        call.host.out << (options.json ? to_text(event) + "\n" : event_line(event));
    });
}

struct ExplainOptions {
    std::string file{};
    std::string zone = "UTC";
    bool json = false;
};

void declare_explain(OptionTable& table, ExplainOptions& options) {
    table.add_positional("FILE", options.file).required().help("a file somewhere below .deia");
    table.add_flag("zone", options.zone)
        .value_name("ZONE")
        .help("what times without a zone mean, such as America/Chicago");
    table.add_flag("json", options.json).help("as JSON");
}

int run_explain(ExplainOptions& options, Call& call) {
    const auto document = explained(options.file, options.zone);
    if (!document) return report(call.host, document.error());
    call.host.out << (options.json ? to_text(*document) + "\n" : explanation_text(*document));
    return exit_ok;
}

} // namespace

Command sync_command() {
    Command group{
        .text = {
            .name = "sync",
            .summary = "the colony and the files of .deia, in step",
            .examples = {{"hive sync status", "what is in step, and what is wrong with files"}}}};
    group.children.push_back(make_command<AskOptions>(
        {.name = "status",
         .summary = "what is in step, and what is wrong with files",
         .examples = {{"hive sync status --json", "for a script"}}},
        declare_ask, run_status));
    group.children.push_back(make_command<PassOptions>(
        {.name = "pull",
         .summary = "take what changed in files, all of them looked at",
         .examples = {{"hive sync pull --dry-run", "what would be taken"}}},
        declare_pass, run_pull));
    group.children.push_back(make_command<PassOptions>(
        {.name = "push",
         .summary = "write what changed in the colony, and files that are missing",
         .examples = {{"hive sync push", "the file of every task, as it is now"}}},
        declare_pass, run_push));
    group.children.push_back(make_command<AskOptions>(
        {.name = "watch",
         .summary = "what is taken and written, as it happens",
         .examples = {{"hive sync watch", "until it is interrupted"}}},
        declare_ask, run_sync_watch));
    group.children.push_back(make_command<ExplainOptions>(
        {.name = "explain",
         .summary = "what the hive sees in a file, and why",
         .description = "Needs no server. Says for each field what was found, as it was written, "
                        "and where.",
         .examples = {{"hive sync explain .deia/hive/tasks/fix-it.md", "one file"}}},
        declare_explain, run_explain));
    return group;
}

} // namespace hive::cli
