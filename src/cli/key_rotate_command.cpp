#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/key_commands.hpp"

namespace hive::cli {
namespace {

int run_key_rotate(OneKeyOptions& options, Call& call) {
    auto keys = reach_keys(options.reach, call);
    if (!keys) return report(call.host, keys.error());
    auto minted = (*keys)->rotate(options.id);
    if (!minted) return report(call.host, minted.error());
    print_minted(call.host, *minted, options.json);
    return exit_ok;
}

} // namespace

Command key_rotate_command() {
    return make_command<OneKeyOptions>(
        {.name = "rotate",
         .summary = "make the successor of a key and print it once",
         .description = "The successor may do the same. The old key works for another 24 hours, so "
                        "that whoever "
                        "uses it can change over.",
         .examples =
             {{"KEY=$(hive key rotate key-4f1c9a2e77d0)",
               "the new key alone goes to standard output"}}},
        declare_one_key, run_key_rotate);
}

} // namespace hive::cli
