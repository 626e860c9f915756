#pragma once

#include "kernel/result.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <filesystem>

namespace hive::store {

struct BackupReport {
    std::int64_t schema = 0; // its version
    std::int64_t tables = 0;
    std::int64_t rows = 0;
};

// Writes everything in the store, as of one moment, to a new file while the store goes on working.
// The file is one format for both engines (see backup_file.hpp), so it also moves a hive from one
// to the other. It appears under its name only when it is complete and on disk; it holds key
// hashes, so only its owner may read it. Errc::conflict when the file exists already.
Result<BackupReport> back_up(Database& database, const std::filesystem::path& file);

enum class Overwrite : std::uint8_t {
    never,  // Errc::conflict when the store holds anything
    always, // what the store holds is replaced
};

// Fills the store from a backup in one transaction: all of it or nothing. Brings an older backup to
// the schema of this program; Errc::conflict when the backup is newer. Errc::invalid when the file
// is damaged or incomplete; the message says where.
Result<BackupReport>
restore(Database& database, const std::filesystem::path& file, Overwrite overwrite);

} // namespace hive::store
