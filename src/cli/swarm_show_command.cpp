#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/signals.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/swarm_graph.hpp"
#include "cli/text_table.hpp"

namespace hive::cli {
namespace {

struct SwarmShowOptions {
    ClientConfig client{};
    std::string id{};
    bool follow = false;
    bool json = false;
};

void declare_swarm_show(OptionTable& table, SwarmShowOptions& options) {
    table.add_positional("ID", options.id).required().help("of the swarm");
    table.add_flag("follow", options.follow).help("again each second, until Ctrl-C");
    declare_client_options(table, options.client);
    table.add_flag("json", options.json).help("answer for scripts");
}

struct Watch {
    const std::string& id;
    const SignalWait& signals;
    const Clock& clock;
};

// A controller that lives says something new when it is asked to, and soon knows all its queues.
constexpr Duration patience = std::chrono::seconds{3};
constexpr Duration a_moment = std::chrono::milliseconds{50};

bool is_settled(const json::object& swarm) {
    const std::string phase = member_text(swarm, "phase");
    return phase == "Creating" || phase == "Failed" || phase == "Removing" ||
           knows_all_depths(swarm);
}

// The swarm with what its controller says now. Who may only read sees what it said last.
Result<json::object> fresh_swarm(ServerClient& server, const Watch& watch) {
    auto first = server.get(swarm_path(watch.id));
    if (!first) return fail(first.error());
    json::object shown = first->as_object();
    const std::string heard = member_text(shown, "receivedAt");
    if (member_text(shown, "stale") != "false") return shown;
    // First the bees, for what they do now; then what their controller makes of it.
    if (!server.post(swarm_path(watch.id, "/status-request"))) return shown;
    const std::string ask = swarm_path(watch.id, "/components/swarm-controller/status-request");
    const TimePoint end = watch.clock.now() + patience;
    while (watch.clock.now() < end) {
        if (watch.signals.next_within(a_moment)) return fail(Errc::closed, "interrupted");
        if (!server.post(ask)) return shown;
        if (watch.signals.next_within(a_moment)) return fail(Errc::closed, "interrupted");
        auto next = server.get(swarm_path(watch.id));
        if (!next) return fail(next.error());
        shown = next->as_object();
        if (member_text(shown, "receivedAt") != heard && is_settled(shown)) break;
    }
    return shown;
}

std::string page_of(const json::object& swarm, Timestamp now) {
    const auto member = [&](std::string_view name) { return member_text(swarm, name); };
    std::string text = fields_text(
        {{"swarm", member("id")},
         {"phase", member("phase")},
         {"wish", member("wish")},
         {"health", member("health")},
         {"run", member("run")},
         {"heard", member_age(swarm, "receivedAt", now)},
         {"stale", member("stale")},
         {"failed", member_text(swarm.at("creation").as_object(), "reason")},
         {"allowed", member("allowed")}});
    return text + '\n' + swarm_graph(swarm);
}

int run_swarm_show(SwarmShowOptions& options, Call& call) {
    Host& host = call.host;
    const SignalWait signals;
    auto server = reach_server(options.client, host);
    if (!server) return report(host, server.error());
    for (;;) {
        const auto swarm = fresh_swarm(*server, {options.id, signals, host.clock});
        if (!swarm && swarm.error().code == Errc::closed) return exit_interrupted;
        if (!swarm) return report(host, swarm.error());
        // A terminal shows one page, written over; a file gets one after the other.
        if (options.follow && host.colors) host.out << "\033[H\033[2J";
        host.out << (options.json ? to_text(*swarm) + "\n" : page_of(*swarm, host.clock.wall()));
        host.out.flush();
        if (!options.follow) return exit_ok;
        if (!host.out) return exit_broken_pipe;
        if (signals.next_within(std::chrono::seconds{1})) return exit_interrupted;
    }
}

} // namespace

Command swarm_show_command() {
    return make_command<SwarmShowOptions>(
        {.name = "show",
         .summary = "one swarm: its state, its bees and the queues between them",
         .description =
             "Bees stand by their ids from left to right as work flows, with the queues between "
             "them and their depths: -> raw 12 -> [ok proc x3 40/s]. 'ok' all replicas are "
             "healthy, '!!' some are not (x2/3: two of three are), '..' nothing is known; then "
             "how many items they handle a second. A branch has a line of its own.",
         .examples = {{"hive swarm show alpha --follow", "live, until Ctrl-C"}}},
        declare_swarm_show, run_swarm_show);
}

} // namespace hive::cli
