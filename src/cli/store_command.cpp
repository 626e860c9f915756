#include "cli/commands.hpp"
#include "cli/store_commands.hpp"

namespace hive::cli {

void declare_store(OptionTable& table, StoreOptions& options) {
    declare_store_options(table, options.place);
    table.add_flag("json", options.json).help("answer for scripts");
}

bool tells_of_damage(const Error& error) {
    return error.detail.find("the file is damaged") != std::string::npos;
}

Command store_command() {
    Command group{
        .text = {
            .name = "store",
            .summary = "back up, restore and check what a hive keeps",
            .description =
                "Works on the files in the data directory, or on PostgreSQL with --store URL, "
                "while a server uses them or not; only 'restore' needs the server to be stopped. "
                "The key that signs the audit log (audit.key in the data directory) is not in the "
                "store: keep a copy of it apart from the backups.",
            .examples = {
                {"hive store backup hive.backup", "everything, as of one moment"},
                {"hive store check", "is anything damaged?"}}}};
    group.children.push_back(store_backup_command());
    group.children.push_back(store_restore_command());
    group.children.push_back(store_check_command());
    group.children.push_back(store_info_command());
    group.children.push_back(store_migrate_command());
    return group;
}

} // namespace hive::cli
