#include "cli/colony_commands.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

namespace hive::cli {
namespace {

std::string bee_path(std::string_view id, std::string_view rest = "") {
    return fmt::format("/api/v1/bees/{}{}", percent_encoded(id), rest);
}

// A bee of a swarm says of itself what its controller heard: nothing else is known.
bool is_workload(const json::object& bee) {
    return member_text(bee, "kind") == "workload";
}

std::string tasks_text(const json::object& bee) {
    std::string out;
    if (is_workload(bee)) return out;
    for (const auto& item : bee.at("tasks").as_array()) {
        out += (out.empty() ? "" : ", ") + member_text(item.as_object(), "ref");
    }
    return out;
}

std::string bee_text(const json::object& bee) {
    std::vector<std::pair<std::string, std::string>> fields;
    if (is_workload(bee)) {
        for (const auto* name : {"id", "kind", "swarm", "role", "health", "enabled", "tps"}) {
            fields.emplace_back(name, printable(member_text(bee, name), 1000));
        }
        return fields_text(fields);
    }
    for (const auto* name : {"id", "presence", "status", "skills", "note", "lastAct"}) {
        fields.emplace_back(name, printable(member_text(bee, name), 1000));
    }
    fields.emplace_back("last seen", member_time(bee, "lastSeen"));
    fields.emplace_back("tasks", tasks_text(bee));
    if (bee.contains("paused")) fields.emplace_back("paused", "yes");
    if (const auto* messages = bee.if_contains("messages")) {
        const json::object& left = messages->as_object();
        fields.emplace_back(
            "may say", fmt::format(
                           "{} now, {} today ({})", member_text(left, "leftNow"),
                           member_text(left, "leftToday"), member_text(left, "verdict")));
    }
    return fields_text(fields);
}

struct ListOptions {
    AskOptions ask{};
    std::string kind{};
};

void declare_bee_list(OptionTable& table, ListOptions& options) {
    table.add_flag("kind", options.kind)
        .value_name("KIND")
        .choices({"working", "workload"})
        .help("only these: who works on tasks, or the bees of running swarms");
    declare_ask(table, options.ask);
}

std::vector<std::string> row_of(const json::object& bee, Timestamp now) {
    if (is_workload(bee)) {
        return {
            member_text(bee, "id"),
            member_text(bee, "health"),
            fmt::format("{} of {}", member_text(bee, "role"), member_text(bee, "swarm")),
            "",
            "",
            member_text(bee, "tps") + " tps"};
    }
    return {member_text(bee, "id"),           member_text(bee, "presence"),
            member_text(bee, "status"),       tasks_text(bee),
            member_age(bee, "lastSeen", now), printable(member_text(bee, "note"), 60)};
}

int run_bee_list(ListOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto bees = all_pages(*server, "/api/v1/bees", {{"kind", options.kind}});
    if (!bees) return report(call.host, bees.error());
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", *bees}}) << '\n';
        return exit_ok;
    }
    if (bees->empty()) call.host.err << "No bee has done anything here yet.\n";
    TextTable table{{"BEE", "PRESENCE", "STATUS", "TASKS", "SEEN", "LAST WORDS"}};
    for (const auto& item : *bees) {
        table.add(row_of(item.as_object(), call.host.clock.wall()));
    }
    call.host.out << table.text();
    return exit_ok;
}

struct OneBeeOptions {
    AskOptions ask{};
    std::string id{};
};

void declare_bee_one(OptionTable& table, OneBeeOptions& options) {
    table.add_positional("BEE", options.id).required().help("its id");
    declare_ask(table, options.ask);
}

int answer_about(OneBeeOptions& options, Call& call, std::string_view verb) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto answer =
        verb.empty() ? server->get(bee_path(options.id)) : server->post(bee_path(options.id, verb));
    return print_answer(call.host, answer, options.ask.json, bee_text);
}

int run_bee_show(OneBeeOptions& options, Call& call) {
    return answer_about(options, call, "");
}
int run_pause(OneBeeOptions& options, Call& call) {
    return answer_about(options, call, "/pause");
}
int run_resume(OneBeeOptions& options, Call& call) {
    return answer_about(options, call, "/resume");
}

struct BeatOptions {
    AskOptions ask{};
    std::vector<std::string> skills{};
    std::string status{};
    std::string note{};
};

void declare_beat(OptionTable& table, BeatOptions& options) {
    table.add_flag("skill", options.skills).value_name("SKILL").help("what I can");
    table.add_flag("status", options.status).value_name("WORD").help("such as STANDBY");
    table.add_flag("note", options.note).value_name("TEXT").help("a word about it");
    declare_ask(table, options.ask);
}

int run_beat(BeatOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body;
    if (!options.skills.empty()) body["skills"] = json::value_from(options.skills);
    if (!options.status.empty()) body["status"] = options.status;
    if (!options.note.empty()) body["note"] = options.note;
    return print_answer(
        call.host, server->post("/api/v1/bees/heartbeat", body), options.ask.json, bee_text);
}

} // namespace

Command bee_command() {
    Command group{
        .text = {
            .name = "bee",
            .summary = "who is here and does what",
            .examples = {{"hive bee list", "all of them, with what they work on"}}}};
    group.children.push_back(make_command<ListOptions>(
        {.name = "list",
         .summary = "all bees",
         .examples =
             {{"hive bee list --json", "for a script"},
              {"hive bee list --kind workload", "the bees of running swarms"}}},
        declare_bee_list, run_bee_list));
    group.children.push_back(make_command<OneBeeOptions>(
        {.name = "show",
         .summary = "one bee, and what it may still say",
         .examples = {{"hive bee show BEE-001", "everything about it"}}},
        declare_bee_one, run_bee_show));
    group.children.push_back(make_command<OneBeeOptions>(
        {.name = "pause",
         .summary = "give a bee no new task",
         .examples = {{"hive bee pause BEE-001", "what it holds it may finish"}}},
        declare_bee_one, run_pause));
    group.children.push_back(make_command<OneBeeOptions>(
        {.name = "resume",
         .summary = "let a bee take tasks again",
         .examples = {{"hive bee resume BEE-001", "ends a pause"}}},
        declare_bee_one, run_resume));
    group.children.push_back(make_command<BeatOptions>(
        {.name = "heartbeat",
         .summary = "say that I am here",
         .examples = {{"hive bee heartbeat --status STANDBY --skill cpp", "and what I can"}}},
        declare_beat, run_beat));
    return group;
}

} // namespace hive::cli
