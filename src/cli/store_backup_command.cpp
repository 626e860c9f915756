#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/store_commands.hpp"
#include "store/backup.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct StoreBackupOptions {
    StoreOptions store{};
    FilePath file{};
};

void declare_store_backup(OptionTable& table, StoreBackupOptions& options) {
    table.add_positional("FILE", options.file).required().help("new file to write");
    declare_store(table, options.store);
}

int run_store_backup(StoreBackupOptions& options, Call& call) {
    auto database = open_as_it_is(options.store.store(), StoreUse::visit);
    if (!database) return report(call.host, database.error());
    auto written = store::back_up(**database, options.file.text);
    if (!written) return report(call.host, written.error());
    if (options.store.json) {
        call.host.out << to_text(json::object{
                             {"file", options.file.text},
                             {"schema", written->schema},
                             {"tables", written->tables},
                             {"rows", written->rows}})
                      << '\n';
    } else {
        call.host.out << fmt::format(
            "{} holds {} rows of {} tables (schema version {}).\n", options.file.text,
            written->rows, written->tables, written->schema);
    }
    return exit_ok;
}

} // namespace

Command store_backup_command() {
    return make_command<StoreBackupOptions>(
        {.name = "backup",
         .summary = "write everything in the store to a new file",
         .description =
             "As of one moment, while the hive goes on working. The format is the same for SQLite "
             "and PostgreSQL, so a backup also moves a hive from one to the other. It holds hashes "
             "of keys: only you may read the file.",
         .examples =
             {{"hive store backup hive.backup", "the hive in .hive"},
              {"hive store backup hive.backup --store postgres://hive@db/hive",
               "the hive in PostgreSQL"}}},
        declare_store_backup, run_store_backup);
}

} // namespace hive::cli
