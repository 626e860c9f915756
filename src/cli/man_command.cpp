#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/man_page.hpp"
#include "cli/version.hpp"

namespace hive::cli {
namespace {

struct ManOptions {};

int run_man(ManOptions& /*options*/, Call& call) {
    call.host.out << man_page(call.root, version());
    return exit_ok;
}

} // namespace

Command man_command() {
    return make_command<ManOptions>(
        {.name = "man",
         .summary = "print the manual page",
         .examples = {{"hive man | man -l -", "read it"}}},
        [](OptionTable&, ManOptions&) {}, run_man);
}

} // namespace hive::cli
