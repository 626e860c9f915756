#include "cli/bundle_files.hpp"
#include "cli/failure.hpp"
#include "cli/questions.hpp"
#include "cli/scenario_commands.hpp"

#include <unistd.h>

namespace hive::cli {
namespace {

struct ScenarioNewOptions {
    FilePath path{};
    NewScenarioFlags flags{};
    bool force = false;
};

void declare_scenario_new(OptionTable& table, ScenarioNewOptions& options) {
    std::vector<std::string> kinds;
    for (const auto kind : importer::scaffold_kinds()) kinds.emplace_back(kind);
    table.add_positional("PATH", options.path)
        .help("the folder to make; its name is the scenario's");
    table.add_flag("template", options.flags.kind)
        .choices(kinds)
        .help(
            "what it is about: HTTP calls, messages over TCP, rows of a CSV file, a buffer guard");
    table.add_flag("url", options.flags.url)
        .value_name("URL")
        .help("the system under test; without it a mock on this machine");
    table.add_flag("method", options.flags.method).value_name("METHOD").help("of the calls; GET");
    table.add_flag("rate", options.flags.rate).value_name("N").help("calls per second; 50");
    table.add_flag("duration", options.flags.duration)
        .range(std::chrono::seconds{1}, std::chrono::hours{24 * 30})
        .help("how long it sends; 10s");
    table.add_flag("force", options.force).help("replace files that are there already");
}

int run_scenario_new(ScenarioNewOptions& options, Call& call) {
    // Whoever gives a path by flags wants no talk; on a terminal without one there is somebody.
    if (options.path.text.empty() && ::isatty(call.host.in) == 1) {
        LineReader lines{call.host.in};
        auto asked = ask_for_scenario(options.flags, [&](const Question& question) {
            call.host.err << prompt_of(question) << std::flush;
            return lines.next();
        });
        if (!asked) return report(call.host, asked.error());
        options.path.text = asked->path;
        options.flags = asked->flags;
    }
    if (options.path.text.empty()) {
        return report(
            call.host, {Errc::invalid, "which folder? as in `hive scenario new shop --url URL`"});
    }
    const auto wish = wish_of(scenario_id_of(options.path.text), options.flags);
    if (!wish) return report(call.host, wish.error());
    const auto files = importer::scaffold(*wish);
    if (!files) return report(call.host, files.error());
    if (auto ok = write_bundle(options.path.text, *files, options.force); !ok) {
        return report(call.host, ok.error());
    }
    return tell_new_bundle(call.host, options.path.text, *files);
}

} // namespace

Command scenario_new_command() {
    return make_command<ScenarioNewOptions>(
        {.name = "new",
         .summary = "write a scenario to begin with",
         .description =
             "Makes a folder with a commented scenario that validates and runs as it is. Without a "
             "path it asks, on a terminal.",
         .examples =
             {{"hive scenario new shop", "HTTP calls to a mock on this machine"},
              {"hive scenario new shop --url https://shop.example/orders --rate 100",
               "calls to what is there"},
              {"hive scenario new logins --template csv", "a call for each row of a file"},
              {"hive scenario new", "asks what it needs to know"}}},
        declare_scenario_new, run_scenario_new);
}

} // namespace hive::cli
