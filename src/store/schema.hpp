#pragma once

#include "kernel/result.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace hive::store {

struct Table {
    std::string name;
    std::vector<std::string> columns{};
};

// The tables our migrations made that exist, those that refer to others first. A database may hold
// tables of other programs: they are none of our business.
Result<std::vector<Table>> our_tables(Session& session, Engine engine);

} // namespace hive::store
