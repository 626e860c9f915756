#pragma once

#include "cli/command.hpp"
#include "cli/open_store.hpp"
#include "cli/server_config.hpp"

namespace hive::cli {

// What `hive store` consists of; each is defined in the file named after it.
Command store_backup_command();
Command store_restore_command();
Command store_check_command();
Command store_info_command();
Command store_migrate_command();

struct StoreOptions {
    StoreConfig place{};
    bool json = false;

    StorePlace store() const { return {place.data.text, place.store}; }
};
void declare_store(OptionTable& table, StoreOptions& options);

// Damage can be so bad that a database cannot even be opened; the store says so in words.
bool tells_of_damage(const Error& error);

} // namespace hive::cli
