#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/key_commands.hpp"

namespace hive::cli {
namespace {

struct KeyCreateOptions {
    ReachConfig reach{};
    KeyWish wish{.owner = {}, .role = {}};
    bool json = false;
};

void declare_key_create(OptionTable& table, KeyCreateOptions& options) {
    KeyWish& wish = options.wish;
    table.add_flag("role", wish.role)
        .required()
        .value_name("ROLE")
        .choices({"admin", "human", "bee", "readonly"})
        .help("what its owner is in the hive");
    table.add_flag("owner", wish.owner).value_name("NAME").help("whose key it is; without it you");
    table.add_flag("kind", wish.kind)
        .value_name("KIND")
        .choices({"bee", "human", "service"})
        .help("who will hold it; without it bee for the role bee, else human");
    table.add_flag("scope", wish.scopes)
        .value_name("SCOPE")
        .help("allow only this, such as tasks:write or *:read; without any all of the role");
    table.add_flag("valid-for", wish.valid_for)
        .range(std::chrono::minutes{1}, std::chrono::hours{24 * 3650})
        .help("until it expires, such as 90d; without it never");
    declare_reach_options(table, options.reach);
    table.add_flag("json", options.json)
        .help("answer for scripts: {\"key\":..., \"record\":{...}}");
}

int run_key_create(KeyCreateOptions& options, Call& call) {
    if (options.wish.owner.empty()) options.wish.owner = user_name();
    auto keys = reach_keys(options.reach, call, StoreUse::begin);
    if (!keys) return report(call.host, keys.error());
    auto minted = (*keys)->create(options.wish);
    if (!minted) return report(call.host, minted.error());
    print_minted(call.host, *minted, options.json);
    return exit_ok;
}

} // namespace

Command key_create_command() {
    return make_command<KeyCreateOptions>(
        {.name = "create",
         .summary = "make a key and print it once",
         .description =
             "The key alone is printed on standard output, everything about it on standard error. "
             "With --data a directory and a database that do not exist are made: so a hive can "
             "have its first key before its server starts.",
         .examples =
             {{"hive key create --role bee --owner BOT-003 --scope tasks:write --valid-for 90d",
               "a narrow key that expires"},
              {"KEY=$(hive key create --role admin --data .hive)",
               "a key of an administrator, made without a server"}}},
        declare_key_create, run_key_create);
}

} // namespace hive::cli
