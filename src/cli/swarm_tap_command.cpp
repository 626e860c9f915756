#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/signals.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/duration.hpp"

#include <algorithm>

namespace hive::cli {
namespace {

constexpr Duration longest = std::chrono::hours{1};

struct SwarmTapOptions {
    ClientConfig client{};
    std::string id{};
    std::string queue{};
    std::string role{};
    std::string direction{};
    std::uint32_t max = 100;
    Duration time = std::chrono::seconds{30};
};

void declare_swarm_tap(OptionTable& table, SwarmTapOptions& options) {
    table.add_positional("ID", options.id).required().help("of the swarm");
    table.add_flag("queue", options.queue).value_name("NAME").help("as the template calls it");
    table.add_flag("role", options.role).value_name("ROLE").help("or: a queue of this role");
    table.add_flag("direction", options.direction)
        .value_name("SIDE")
        .choices({"in", "out"})
        .help("of the role");
    table.add_flag("max", options.max).range(1U, 1000U).help("items held between two looks");
    table.add_flag("for", options.time)
        .range(std::chrono::seconds{1}, longest)
        .help("how long to look");
    declare_client_options(table, options.client);
}

Result<std::string> open_tap(ServerClient& server, const SwarmTapOptions& options) {
    // A little longer, for the last look; never more than the server grants.
    const Duration ttl = std::min<Duration>(options.time + std::chrono::seconds{5}, longest);
    json::object body{{"max", options.max}, {"ttl", format_duration(ttl)}};
    if (!options.queue.empty()) body["queue"] = options.queue;
    if (!options.role.empty()) body["role"] = options.role;
    if (!options.direction.empty()) body["direction"] = options.direction;
    const auto tap = server.post(swarm_path(options.id, "/taps"), body);
    if (!tap) return fail(tap.error());
    return "/api/v1/taps/" + member_text(tap->as_object(), "id");
}

int run_swarm_tap(SwarmTapOptions& options, Call& call) {
    Host& host = call.host;
    const SignalWait signals;
    auto server = reach_server(options.client, host);
    if (!server) return report(host, server.error());
    const auto path = open_tap(*server, options);
    if (!path) return report(host, path.error());
    const TimePoint end = host.clock.now() + options.time;
    bool stopped = false;
    while (!stopped && host.clock.now() < end && host.out) {
        stopped = signals.next_within(std::chrono::milliseconds{500}).has_value();
        const auto drained = server->post(*path + "/drain");
        if (!drained) return report(host, drained.error());
        for (const auto& item : drained->as_object().at("items").as_array()) {
            host.out << to_text(item) << '\n';
        }
        host.out.flush();
    }
    if (auto closed = server->remove(*path); !closed) return report(host, closed.error());
    return stopped ? exit_interrupted : exit_ok;
}

} // namespace

Command swarm_tap_command() {
    return make_command<SwarmTapOptions>(
        {.name = "tap",
         .summary = "show work items as they pass a queue",
         .description = "Prints copies, a JSON document a line; the swarm itself is not slowed.",
         .examples =
             {{"hive swarm tap alpha --role processor --direction in --for 10s",
               "what the processors get within ten seconds"}}},
        declare_swarm_tap, run_swarm_tap);
}

} // namespace hive::cli
