#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/key_commands.hpp"

namespace hive::cli {
namespace {

int run_key_show(OneKeyOptions& options, Call& call) {
    auto keys = reach_keys(options.reach, call);
    if (!keys) return report(call.host, keys.error());
    auto key = (*keys)->show(options.id);
    if (!key) return report(call.host, key.error());
    call.host.out << (options.json ? to_text(*key) + "\n" : key_text(*key));
    return exit_ok;
}

} // namespace

Command key_show_command() {
    return make_command<OneKeyOptions>(
        {.name = "show",
         .summary = "show one key, without its secret",
         .examples = {{"hive key show key-4f1c9a2e77d0", "whose it is and what it may do"}}},
        declare_one_key, run_key_show);
}

} // namespace hive::cli
