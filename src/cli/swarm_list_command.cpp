#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"

namespace hive::cli {
namespace {

struct SwarmListOptions {
    ClientConfig client{};
    std::string phase{};
    bool json = false;
};

void declare_swarm_list(OptionTable& table, SwarmListOptions& options) {
    table.add_flag("phase", options.phase)
        .value_name("PHASE")
        .help("only those in this phase, such as Running or Failed");
    declare_client_options(table, options.client);
    table.add_flag("json", options.json).help("answer for scripts");
}

Result<json::array> all_swarms(ServerClient& server, const std::string& phase) {
    json::array all;
    std::string cursor;
    do {
        auto page = server.get("/api/v1/swarms", {{"phase", phase}, {"cursor", cursor}});
        if (!page) return fail(page.error());
        const json::object& found = page->as_object();
        for (const auto& item : found.at("items").as_array()) all.push_back(item);
        cursor = member_text(found, "next");
    } while (!cursor.empty());
    return all;
}

std::string bees_text(const json::object& swarm) {
    const auto* totals = swarm.if_contains("totals");
    if (totals == nullptr) return "";
    const json::object& counts = totals->as_object();
    return member_text(counts, "healthy") + "/" + member_text(counts, "total");
}

int run_swarm_list(SwarmListOptions& options, Call& call) {
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto swarms = all_swarms(*server, options.phase);
    if (!swarms) return report(call.host, swarms.error());
    if (options.json) {
        call.host.out << to_text(json::object{{"items", *swarms}}) << '\n';
        return exit_ok;
    }
    if (swarms->empty()) call.host.err << "There are no swarms.\n";
    TextTable table{{"ID", "PHASE", "WISH", "HEALTH", "BEES", "RUN", "HEARD"}};
    for (const auto& item : *swarms) {
        const json::object& swarm = item.as_object();
        const auto member = [&](std::string_view name) { return member_text(swarm, name); };
        table.add(
            {member("id"), member("phase"), member("wish"), member("health"), bees_text(swarm),
             member("run"), member_age(swarm, "receivedAt", call.host.clock.wall())});
    }
    call.host.out << table.text();
    return exit_ok;
}

} // namespace

Command swarm_list_command() {
    return make_command<SwarmListOptions>(
        {.name = "list",
         .summary = "show all swarms",
         .examples =
             {{"hive swarm list", "all of them"},
              {"hive swarm list --phase Failed --json", "those that failed, for a script"}}},
        declare_swarm_list, run_swarm_list);
}

} // namespace hive::cli
