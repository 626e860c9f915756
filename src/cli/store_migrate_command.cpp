#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/store_commands.hpp"
#include "store/migration.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

int run_store_migrate(StoreOptions& options, Call& call) {
    const StorePlace place = options.store();
    auto database = open_as_it_is(place, StoreUse::visit);
    if (!database) return report(call.host, database.error());
    const auto done = store::migrate(**database);
    if (!done) return report(call.host, done.error());
    const std::string name = name_of(place);
    if (options.json) {
        call.host.out << to_text(
                             json::object{{"store", name}, {"from", done->from}, {"to", done->to}})
                      << '\n';
    } else if (done->from == done->to) {
        call.host.out << fmt::format(
            "{} is at schema version {}; there is nothing to do.\n", name, done->to);
    } else {
        call.host.out << fmt::format(
            "{} was brought from schema version {} to {}.\n", name, done->from, done->to);
    }
    return exit_ok;
}

} // namespace

Command store_migrate_command() {
    return make_command<StoreOptions>(
        {.name = "migrate",
         .summary = "bring the schema up to this program's version",
         .description =
             "A server does the same when it starts; this is for whoever wants it done before. "
             "Forward only, safe to run twice and beside a server.",
         .examples =
             {{"hive store migrate", "the hive in .hive"},
              {"hive store migrate --store postgres://hive@db/hive --json", "for a script"}}},
        declare_store, run_store_migrate);
}

} // namespace hive::cli
