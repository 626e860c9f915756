#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/signals.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

struct SwarmJournalOptions {
    ClientConfig client{};
    std::string id{};
    std::string run{};
    std::string severity{};
    std::string since{};
    std::uint32_t lines = 50;
    bool follow = false;
    bool json = false;
};

void declare_swarm_journal(OptionTable& table, SwarmJournalOptions& options) {
    table.add_positional("ID", options.id).help("of the swarm; without it of the whole hive");
    table.add_flag("run", options.run).value_name("RUN").help("only this life of the swarm");
    table.add_flag("severity", options.severity)
        .value_name("LEVEL")
        .choices({"info", "warn", "error"})
        .help("at least this bad");
    table.add_flag("since", options.since).value_name("TIME").help("RFC 3339, included");
    table.add_flag("lines", options.lines).range(1U, 1000U).help("so many of the newest");
    table.add_flag("follow", options.follow).help("go on with what comes, until Ctrl-C");
    declare_client_options(table, options.client);
    table.add_flag("json", options.json).help("a JSON document a line");
}

std::string line_of(const json::object& entry) {
    std::string data = to_text(entry.at("data"));
    if (data == "{}") data.clear();
    return fmt::format(
        "{} {:5} {:12} {:10} {:16} {} {}\n", member_time(entry, "time"),
        member_text(entry, "severity"), member_text(entry, "swarm"), member_text(entry, "kind"),
        member_text(entry, "type"), member_text(entry, "origin"), printable(data, 400));
}

class Follower {
public:
    Follower(const SwarmJournalOptions& options, Host& host, ServerClient& server)
        : options_{options}, host_{host}, server_{server},
          path_{options.id.empty() ? "/api/v1/journal" : swarm_path(options.id, "/journal")} {}

    Status begin() {
        auto page = ask({{"limit", std::to_string(options_.lines)}});
        if (!page) return fail(page.error());
        std::ranges::reverse(*page);
        print(*page);
        return {};
    }

    // By number, so that nothing is missed or said twice, whatever happened in between.
    Status go_on() {
        for (;;) {
            auto page = ask({{"after", std::to_string(last_)}, {"limit", "1000"}});
            if (!page) return fail(page.error());
            print(*page);
            if (page->empty()) return {};
        }
    }

private:
    Result<json::array> ask(ServerClient::Query query) {
        query.emplace_back("run", options_.run);
        query.emplace_back("severity", options_.severity);
        query.emplace_back("since", options_.since);
        auto page = server_.get(path_, query);
        if (!page) return fail(page.error());
        return page->as_object().at("items").as_array();
    }
    void print(const json::array& entries) {
        for (const auto& item : entries) {
            const json::object& entry = item.as_object();
            last_ = std::max(last_, entry.at("sequence").to_number<std::uint64_t>());
            host_.out << (options_.json ? to_text(entry) + "\n" : line_of(entry));
        }
        host_.out.flush();
    }

    const SwarmJournalOptions& options_;
    Host& host_;
    ServerClient& server_;
    std::string path_;
    std::uint64_t last_ = 0;
};

int run_swarm_journal(SwarmJournalOptions& options, Call& call) {
    const SignalWait signals;
    auto server = reach_server(options.client, call.host);
    if (!server) return report(call.host, server.error());
    Follower follower{options, call.host, *server};
    if (auto ok = follower.begin(); !ok) return report(call.host, ok.error());
    if (!options.follow) return exit_ok;
    bool away = false;
    while (!signals.next_within(std::chrono::milliseconds{500})) {
        const auto ok = follower.go_on();
        if (!call.host.out) return exit_broken_pipe;
        const bool lost = !ok && ok.error().code != Errc::invalid;
        if (!ok && !lost) return report(call.host, ok.error());
        if (lost && !away) call.host.err << "The server is away; going on when it is back.\n";
        away = lost;
    }
    return exit_interrupted;
}

} // namespace

Command swarm_journal_command() {
    return make_command<SwarmJournalOptions>(
        {.name = "journal",
         .summary = "what a swarm, or the whole hive, went through",
         .examples =
             {{"hive swarm journal alpha --follow", "as it happens"},
              {"hive swarm journal --severity warn --json", "what went wrong anywhere"}}},
        declare_swarm_journal, run_swarm_journal);
}

} // namespace hive::cli
