#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/key_commands.hpp"

namespace hive::cli {
namespace {

int run_key_revoke(OneKeyOptions& options, Call& call) {
    auto keys = reach_keys(options.reach, call);
    if (!keys) return report(call.host, keys.error());
    auto key = (*keys)->revoke(options.id);
    if (!key) return report(call.host, key.error());
    call.host.out << (options.json ? to_text(*key) + "\n" : key_text(*key));
    return exit_ok;
}

} // namespace

Command key_revoke_command() {
    return make_command<OneKeyOptions>(
        {.name = "revoke",
         .summary = "end a key at once",
         .description =
             "Whoever uses the key is refused from the next request on. It stays listed.",
         .examples = {{"hive key revoke key-4f1c9a2e77d0", "nobody gets in with it any more"}}},
        declare_one_key, run_key_revoke);
}

} // namespace hive::cli
