#include "cli/audit_commands.hpp"
#include "cli/colony_commands.hpp"
#include "cli/event_lines.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

std::string line_of(const json::object& event) {
    const auto member = [&](std::string_view name) {
        return printable(member_text(event, name), 255);
    };
    return fmt::format(
        "{} {:20} {:20} {} {}\n", member_time(event, "at"), member("event"), member("actor"),
        member("entityType"), member("entityId"));
}

int run_audit_tail(AskOptions& options, Call& call) {
    const SignalWait signals;
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    return follow_events({call.host, *server, signals}, "#", [&](const json::object& event) {
        if (!event.contains("actor")) return; // what nobody did is not in the log
        call.host.out << (options.json ? to_text(event) + "\n" : line_of(event));
    });
}

} // namespace

Command audit_tail_command() {
    return make_command<AskOptions>(
        {.name = "tail",
         .summary = "what is recorded, as it happens",
         .examples = {{"hive audit tail", "until Ctrl-C"}}},
        declare_ask, run_audit_tail);
}

} // namespace hive::cli
