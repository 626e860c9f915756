#pragma once

#include "store/database.hpp"
#include "store/postgres/postgres_connection.hpp"
#include "store/threaded_database.hpp"

#include <memory>
#include <string>

namespace hive::store::postgres {

struct Options {
    std::string url; // postgresql://user:password@host:port/database?sslmode=...
    Patience patience{};
    Limits limits{};
};

// Connects once to prove that the URL works; afterwards lost connections are made again by
// themselves. Errc::denied: user or password. Errc::not_found: no such database.
Result<std::unique_ptr<Database>> open(const Options& options);

} // namespace hive::store::postgres
