#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/usage.hpp"
#include "kernel/finding.hpp"

#include <string>
#include <vector>

namespace hive::cli {
namespace {

struct HelpOptions {
    std::vector<std::string> path{};
};

int run_help(HelpOptions& options, Call& call) {
    const Arguments named = parse_arguments(call.root, options.path);
    if (!named.findings.empty() || !named.positionals.empty()) {
        call.host.err << render(named.findings);
        if (named.findings.empty())
            call.host.err << "error: " << named.path << " has no commands\n";
        return exit_bad_input;
    }
    call.host.out << help_text(named.path, *named.command);
    return exit_ok;
}

} // namespace

Command help_command() {
    return make_command<HelpOptions>(
        {.name = "help",
         .summary = "explain a command",
         .examples = {{"hive help doctor", "the same as 'hive doctor --help'"}}},
        [](OptionTable& table, HelpOptions& options) {
            table.add_positional("COMMAND", options.path).help("the command to explain");
        },
        run_help);
}

} // namespace hive::cli
