#pragma once

#include "kernel/result.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hive::store {

struct CheckReport {
    std::vector<std::string> problems{}; // empty: the store is sound
    std::vector<std::string> notes{};    // what could not be checked, and why
    std::int64_t rows = 0;               // read while checking

    bool sound() const { return problems.empty(); }
};

// The engine's own integrity check, foreign keys, every row of ours, and that the schema is the one
// this program made. Reads everything, changes nothing. An error means that it could not be
// finished; damage is in the report.
Result<CheckReport> check(Database& database);

} // namespace hive::store
