#pragma once

#include "store/database.hpp"
#include "store/threaded_database.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace hive::store::sqlite {

enum class Tenancy : std::uint8_t {
    owner,   // a server: nobody else may own the directory
    visitor, // a short command beside a server that may be running
};

struct Options {
    std::filesystem::path directory; // must exist; the database is hive.db in it
    Tenancy tenancy = Tenancy::owner;
    bool create = true; // a missing database is made
    Duration lock_wait = std::chrono::seconds{5};
    Limits limits{};
};

// Errors say what is wrong with the directory or the file and what to do; see DataDirectory.
Result<std::unique_ptr<Database>> open(const Options& options);

} // namespace hive::store::sqlite
