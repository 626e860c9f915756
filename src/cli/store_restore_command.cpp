#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/store_commands.hpp"
#include "store/backup.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hive::cli {
namespace {

struct StoreRestoreOptions {
    StoreOptions store{};
    FilePath file{};
    bool overwrite = false;
};

void declare_store_restore(OptionTable& table, StoreRestoreOptions& options) {
    table.add_positional("FILE", options.file).required().help("written by 'hive store backup'");
    table.add_flag("overwrite", options.overwrite).help("replace what the store holds");
    declare_store(table, options.store);
}

Error explained(const StorePlace& place, Error error) {
    const std::string name = name_of(place);
    if (tells_of_damage(error)) {
        return {
            error.code, fmt::format(
                            "{} is damaged; move it and its -wal file away, then restore into a "
                            "new one",
                            name)};
    }
    if (error.code == Errc::conflict && error.detail.find("not empty") != std::string::npos) {
        error.detail = fmt::format(
            "{} is not empty; restore into another with --data DIR, or replace what is there with "
            "--overwrite",
            name);
    }
    return error;
}

int run_store_restore(StoreRestoreOptions& options, Call& call) {
    // Looked at before a directory is made for it.
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(options.file.text, ignored)) {
        return report(
            call.host, {Errc::invalid, fmt::format("there is no backup {}", options.file.text)});
    }
    const StorePlace place = options.store.store();
    auto database = open_as_it_is(place, StoreUse::serve);
    if (!database) return report(call.host, explained(place, database.error()));
    auto restored = store::restore(
        **database, options.file.text,
        options.overwrite ? store::Overwrite::always : store::Overwrite::never);
    if (!restored) return report(call.host, explained(place, restored.error()));
    if (options.store.json) {
        call.host.out << to_text(json::object{
                             {"store", name_of(place)},
                             {"schema", restored->schema},
                             {"tables", restored->tables},
                             {"rows", restored->rows}})
                      << '\n';
    } else {
        call.host.out << fmt::format(
            "{} holds the {} rows of {} (schema version {}).\n", name_of(place), restored->rows,
            options.file.text, restored->schema);
    }
    return exit_ok;
}

} // namespace

Command store_restore_command() {
    return make_command<StoreRestoreOptions>(
        {.name = "restore",
         .summary = "fill the store from a backup",
         .description =
             "All of it or nothing. A store that holds anything is refused without --overwrite, "
             "and "
             "so is a data directory whose server runs; stop the servers of a PostgreSQL store "
             "yourself. An older backup is brought to the schema of this program.",
         .examples =
             {{"hive store restore hive.backup --data /srv/hive", "into a new directory"},
              {"hive store restore hive.backup --store postgres://hive@db/hive",
               "moves a hive to PostgreSQL"}}},
        declare_store_restore, run_store_restore);
}

} // namespace hive::cli
