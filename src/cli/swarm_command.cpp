#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/progress.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hive::cli {
namespace {

// The ids to wait for, in the order in which they end.
std::vector<std::string> ids_in(const json::object& accepted) {
    std::vector<std::string> ids;
    if (const auto* items = accepted.if_contains("items")) {
        for (const auto& item : items->as_array()) {
            ids.push_back(member_text(item.as_object(), "correlationId"));
        }
        return ids;
    }
    ids.push_back(member_text(accepted, "correlationId"));
    if (const auto* start = accepted.if_contains("start")) {
        ids.push_back(member_text(start->as_object(), "correlationId"));
    }
    return ids;
}

struct Awaited {
    ServerClient& server;
    Progress& progress;
    const Clock& clock;
    TimePoint deadline;
};

// Short questions, so that progress is seen and Ctrl-C is heard.
Result<json::object> end_of(const Awaited& awaited, const std::string& id) {
    while (awaited.clock.now() < awaited.deadline) {
        auto answer = awaited.server.get("/api/v1/commands/" + id, {{"wait", "2s"}});
        if (!answer) return fail(answer.error());
        const json::object& outcome = answer->as_object();
        if (outcome.contains("status")) return outcome;
        awaited.progress.at(0, 0);
    }
    return fail(Errc::timeout, "it has not ended in time; it goes on, and the journal will tell");
}

std::string outcome_text(const json::object& outcome) {
    const std::string reason = member_text(outcome, "reason");
    return fmt::format(
        "{}: {} {}{}\n", member_text(outcome, "swarm"), member_text(outcome, "command"),
        member_text(outcome, "status"), reason.empty() ? "" : ": " + printable(reason, 1000));
}

bool succeeded(const json::object& outcome) {
    const auto* found = outcome.if_contains("succeeded");
    return found != nullptr && *found == true;
}

int wait_for_all(
    Host& host, ServerClient& server, const json::object& accepted, const WaitOptions& options) {
    json::array outcomes;
    {
        Progress progress{host, "waiting for the outcome"};
        const Awaited awaited{server, progress, host.clock, host.clock.now() + options.timeout};
        for (const std::string& id : ids_in(accepted)) {
            auto outcome = end_of(awaited, id);
            if (!outcome) return report(host, outcome.error());
            outcomes.push_back(std::move(*outcome));
            // Where one follows from the other, what would follow never comes.
            if (!accepted.contains("items") && !succeeded(outcomes.back().as_object())) break;
        }
    }
    for (const auto& outcome : outcomes) {
        const json::object& one = outcome.as_object();
        host.out << (options.json ? to_text(one) + "\n" : outcome_text(one));
    }
    const bool good = std::ranges::all_of(
        outcomes, [](const json::value& outcome) { return succeeded(outcome.as_object()); });
    return good ? exit_ok : exit_check_failed;
}

} // namespace

void declare_wait_options(OptionTable& table, WaitOptions& options) {
    table.add_flag("wait", options.wait).help("until it has ended; the exit code says how");
    table.add_flag("timeout", options.timeout)
        .range(std::chrono::seconds{1}, std::chrono::hours{1})
        .help("how long --wait waits");
    table.add_flag("json", options.json).help("answer for scripts");
}

void declare_one_swarm(OptionTable& table, OneSwarmOptions& options) {
    table.add_positional("ID", options.id).required().help("of the swarm");
    declare_wait_options(table, options.wait);
    declare_client_options(table, options.client);
}

Result<ServerClient> reach_server(const ClientConfig& client, const Host& host) {
    auto connection = resolve_connection(client, host);
    if (!connection) return fail(connection.error());
    return ServerClient::open(std::move(*connection));
}

std::string swarm_path(std::string_view id, std::string_view rest) {
    return fmt::format("/api/v1/swarms/{}{}", percent_encoded(id), rest);
}

int finish(
    Host& host, ServerClient& server, const Result<json::value>& accepted,
    const WaitOptions& options) {
    if (!accepted) return report(host, accepted.error());
    const json::object& told = accepted->as_object();
    if (const auto approval = member_text(told, "approval"); !approval.empty()) {
        host.out
            << (options.json ? to_text(told) + "\n"
                             : fmt::format("waits for approval {}\n", approval));
        return exit_ok;
    }
    if (options.wait) return wait_for_all(host, server, told, options);
    if (options.json) {
        host.out << to_text(told) << '\n';
    } else {
        for (const std::string& id : ids_in(told)) host.out << "accepted as " << id << '\n';
    }
    return exit_ok;
}

Command swarm_command() {
    Command group{
        .text = {
            .name = "swarm",
            .summary = "create, start, stop, watch and remove swarms",
            .description =
                "A swarm is a set of bees with queues between them, described by a template. These "
                "commands ask the server you logged in to.\n\n"
                "Exit codes: 0 it was done (with --wait) or accepted, 1 it ended without success, "
                "2 the input must be changed, 3 the server refused or cannot be reached.",
            .examples = {
                {"hive swarm create alpha --template swarm.yaml --start --wait",
                 "a swarm that runs when the command ends"},
                {"hive swarm show alpha --follow", "its bees and queues, live"}}}};
    group.children.push_back(swarm_create_command());
    group.children.push_back(swarm_start_command());
    group.children.push_back(swarm_stop_command());
    group.children.push_back(swarm_remove_command());
    group.children.push_back(swarm_list_command());
    group.children.push_back(swarm_show_command());
    group.children.push_back(swarm_config_command());
    group.children.push_back(swarm_journal_command());
    group.children.push_back(swarm_tap_command());
    group.children.push_back(swarm_enable_command());
    group.children.push_back(swarm_disable_command());
    return group;
}

} // namespace hive::cli
