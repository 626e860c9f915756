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

std::string approval_path(std::string_view id, std::string_view rest = "") {
    return fmt::format("/api/v1/approvals/{}{}", percent_encoded(id), rest);
}

std::string approval_line(const json::object& approval) {
    std::string line = fmt::format(
        "{} is {}: {}", member_text(approval, "id"), member_text(approval, "state"),
        printable(member_text(approval, "subject"), 200));
    const std::string carry = member_text(approval, "carry");
    if (carry == "pending") line += "; on its way";
    if (carry == "done") line += "; done";
    if (carry == "refused") line += "; refused: " + member_text(approval, "carryNote");
    return line + "\n";
}

std::string stage_text(const json::object& stage) {
    return fmt::format(
        "{} of {} {} within {}", member_text(stage, "quorum"), member_text(stage, "roles"),
        member_text(stage, "people"), member_text(stage, "within"));
}

std::string approval_text(const json::object& approval) {
    std::vector<std::pair<std::string, std::string>> fields;
    const auto add = [&](std::string_view label, const std::string& text) {
        fields.emplace_back(label, printable(text, 2000));
    };
    for (const auto* name :
         {"id", "subject", "state", "ruleName", "reason", "endedBy", "carry", "carryNote"}) {
        add(name, member_text(approval, name));
    }
    if (approval.contains("overridden")) add("overridden", "yes");
    add("asked", member_time(approval, "createdAt") + " by " +
                     member_text(approval.at("requester").as_object(), "id"));
    add("until", member_time(approval, "stageEnds"));
    for (const auto& stage : approval.at("stages").as_array()) {
        add("decides", stage_text(stage.as_object()));
    }
    for (const auto& item : approval.at("votes").as_array()) {
        const json::object& vote = item.as_object();
        add("vote", fmt::format(
                        "{} {} by {} {}", member_time(vote, "at"), member_text(vote, "verdict"),
                        member_text(vote, "who"), member_text(vote, "comment")));
    }
    for (const auto& item : approval.at("evidence").as_array()) {
        const json::object& piece = item.as_object();
        const auto* words = piece.at("value").if_string();
        const std::string value =
            words != nullptr ? std::string{std::string_view{*words}} : to_text(piece.at("value"));
        add(member_text(piece, "kind"), fmt::format("{} {}", member_text(piece, "title"), value));
    }
    return fields_text(fields);
}

struct ListOptions {
    AskOptions ask{};
    std::string state{};
    std::string act{};
    std::string requester{};
    bool mine = false;
};

void declare_approval_list(OptionTable& table, ListOptions& options) {
    table.add_flag("state", options.state)
        .value_name("STATE")
        .suggests({"open", "approved", "denied", "timed_out", "withdrawn"})
        .help("only those in this state");
    table.add_flag("act", options.act).value_name("ACT").help("such as swarm.start");
    table.add_flag("requester", options.requester).value_name("ID").help("only what they asked");
    table.add_flag("mine", options.mine).help("only what I may decide now");
    declare_ask(table, options.ask);
}

int run_approval_list(ListOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    auto found = all_pages(
        *server, "/api/v1/approvals",
        {{"state", options.mine ? "open" : options.state},
         {"act", options.act},
         {"requester", options.requester}});
    if (!found) return report(call.host, found.error());
    json::array shown;
    for (auto& item : *found) {
        if (!options.mine || item.at("mayDecide") == true) shown.push_back(std::move(item));
    }
    if (options.ask.json) {
        call.host.out << to_text(json::object{{"items", shown}}) << '\n';
        return exit_ok;
    }
    if (shown.empty()) call.host.err << "There are no such requests.\n";
    TextTable table{{"ID", "STATE", "WHO", "AGE", "SUBJECT"}};
    for (const auto& item : shown) {
        const json::object& approval = item.as_object();
        table.add(
            {member_text(approval, "id"), member_text(approval, "state"),
             member_text(approval.at("requester").as_object(), "id"),
             member_age(approval, "createdAt", call.host.clock.wall()),
             printable(member_text(approval, "subject"), 60)});
    }
    call.host.out << table.text();
    return exit_ok;
}

struct OneOptions {
    AskOptions ask{};
    std::string id{};
    std::string words{};
    bool deny = false;
    std::string person{};
    std::string valid_for{};
};

void declare_approval_one(OptionTable& table, OneOptions& options) {
    table.add_positional("ID", options.id).required().help("of the request");
    declare_ask(table, options.ask);
}
void declare_decision(OptionTable& table, OneOptions& options) {
    table.add_flag("comment", options.words).value_name("TEXT").help("why");
    declare_approval_one(table, options);
}
void declare_override(OptionTable& table, OneOptions& options) {
    table.add_flag("reason", options.words).required().value_name("TEXT").help("why; recorded");
    table.add_flag("deny", options.deny).help("deny instead of approving");
    declare_approval_one(table, options);
}
void declare_approval_withdraw(OptionTable& table, OneOptions& options) {
    table.add_flag("reason", options.words).value_name("TEXT").help("why");
    declare_approval_one(table, options);
}
void declare_link(OptionTable& table, OneOptions& options) {
    table.add_flag("for", options.person).value_name("PERSON").help("another; admins only");
    table.add_flag("valid-for", options.valid_for).value_name("TIME").help("such as 30m");
    declare_approval_one(table, options);
}

int run_approval_show(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->get(approval_path(options.id)), options.ask.json, approval_text);
}

int send(OneOptions& options, Call& call, std::string_view verb, const json::object& body) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    return print_answer(
        call.host, server->post(approval_path(options.id, verb), body), options.ask.json,
        approval_line);
}

int decide(OneOptions& options, Call& call, std::string_view verdict) {
    json::object body{{"verdict", verdict}};
    if (!options.words.empty()) body["comment"] = options.words;
    return send(options, call, "/decision", body);
}
int run_approve(OneOptions& options, Call& call) {
    return decide(options, call, "approve");
}
int run_deny(OneOptions& options, Call& call) {
    return decide(options, call, "deny");
}
int run_override(OneOptions& options, Call& call) {
    return send(
        options, call, "/override",
        {{"verdict", options.deny ? "deny" : "approve"}, {"reason", options.words}});
}
int run_withdraw(OneOptions& options, Call& call) {
    json::object body;
    if (!options.words.empty()) body["reason"] = options.words;
    return send(options, call, "/withdraw", body);
}

int run_link(OneOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body;
    if (!options.person.empty()) body["person"] = options.person;
    if (!options.valid_for.empty()) body["validFor"] = options.valid_for;
    return print_answer(
        call.host, server->post(approval_path(options.id, "/links"), body), options.ask.json,
        [](const json::object& link) { return member_text(link, "url") + "\n"; });
}

struct QuestionOptions {
    AskOptions ask{};
    std::string subject{};
    std::string about{};
    std::vector<std::string> links{};
    std::vector<std::string> texts{};
    std::vector<std::string> people{};
    std::string within{};
};

void declare_question(OptionTable& table, QuestionOptions& options) {
    table.add_positional("SUBJECT", options.subject).required().help("what is to be decided");
    table.add_flag("about", options.about).value_name("ID").help("a task or another thing");
    table.add_flag("link", options.links).value_name("URL").help("where to look");
    table.add_flag("text", options.texts).value_name("TEXT").help("what to know");
    table.add_flag("person", options.people).value_name("ID").help("who decides; else everyone");
    table.add_flag("within", options.within).value_name("TIME").help("then it is denied; 24h");
    declare_ask(table, options.ask);
}

json::array evidence_of(const QuestionOptions& options) {
    json::array evidence;
    for (const auto& link : options.links) evidence.push_back({{"kind", "link"}, {"value", link}});
    for (const auto& text : options.texts) evidence.push_back({{"kind", "text"}, {"value", text}});
    return evidence;
}

int run_question(QuestionOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body{{"subject", options.subject}};
    json::array evidence = evidence_of(options);
    if (!evidence.empty()) body["evidence"] = std::move(evidence);
    if (!options.about.empty()) body["about"] = options.about;
    if (!options.people.empty()) body["people"] = json::value_from(options.people);
    if (!options.within.empty()) body["within"] = options.within;
    return print_answer(
        call.host, server->post("/api/v1/approvals", body), options.ask.json, approval_line);
}

void declare_evidence(OptionTable& table, QuestionOptions& options) {
    table.add_positional("ID", options.about).required().help("of the request");
    table.add_flag("link", options.links).value_name("URL").help("where to look");
    table.add_flag("text", options.texts).value_name("TEXT").help("what to know");
    declare_ask(table, options.ask);
}

int run_approval_evidence(QuestionOptions& options, Call& call) {
    json::array evidence = evidence_of(options);
    if (evidence.empty()) return report(call.host, Error{Errc::invalid, "give a --link or --text"});
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const json::object body{{"evidence", std::move(evidence)}};
    return print_answer(
        call.host, server->post(approval_path(options.about, "/evidence"), body), options.ask.json,
        approval_text);
}

template <class Options>
Command
child(CommandText text, void (*declare)(OptionTable&, Options&), int (*run)(Options&, Call&)) {
    return make_command<Options>(std::move(text), declare, run);
}

} // namespace

Command approval_command() {
    Command group{
        .text = {
            .name = "approval",
            .summary = "decide what waits for a decision, and make rules about it",
            .description =
                "A rule holds acts back until somebody has approved them: moves of tasks, "
                "messages, swarm commands. Nobody decides about their own request.",
            .examples = {
                {"hive approval list --mine", "what waits for me"},
                {"hive approval approve ID --comment 'looks right'", "let it happen"}}}};
    auto& all = group.children;
    all.push_back(child<ListOptions>(
        {.name = "list",
         .summary = "requests, the newest first",
         .examples = {{"hive approval list --state open", "what is undecided"}}},
        declare_approval_list, run_approval_list));
    all.push_back(child<OneOptions>(
        {.name = "show",
         .summary = "one request with its evidence and votes",
         .examples = {{"hive approval show ID", "everything about it"}}},
        declare_approval_one, run_approval_show));
    all.push_back(child<OneOptions>(
        {.name = "approve",
         .summary = "let it happen",
         .examples = {{"hive approval approve ID", "in my name"}}},
        declare_decision, run_approve));
    all.push_back(child<OneOptions>(
        {.name = "deny",
         .summary = "do not let it happen; one denial is enough",
         .examples = {{"hive approval deny ID --comment 'not on Friday'", "with a reason"}}},
        declare_decision, run_deny));
    all.push_back(child<OneOptions>(
        {.name = "override",
         .summary = "end a request as an admin, whatever its rule says",
         .examples = {{"hive approval override ID --reason 'outage'", "let it happen at once"}}},
        declare_override, run_override));
    all.push_back(child<OneOptions>(
        {.name = "withdraw",
         .summary = "take back my own request",
         .examples = {{"hive approval withdraw ID", "it is not needed any more"}}},
        declare_approval_withdraw, run_withdraw));
    all.push_back(child<OneOptions>(
        {.name = "link",
         .summary = "a link that decides once, to open on another device",
         .examples = {{"hive approval link ID --valid-for 30m", "for myself"}}},
        declare_link, run_link));
    all.push_back(child<QuestionOptions>(
        {.name = "ask",
         .summary = "ask people something; it holds nothing back by itself",
         .examples = {{"hive approval ask 'May I delete the old index?'", "anyone may answer"}}},
        declare_question, run_question));
    all.push_back(child<QuestionOptions>(
        {.name = "evidence",
         .summary = "add what helps to decide",
         .examples =
             {{"hive approval evidence ID --link https://ci.example/77", "the run that passed"}}},
        declare_evidence, run_approval_evidence));
    all.push_back(approval_rule_command());
    return group;
}

} // namespace hive::cli
