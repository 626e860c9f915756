#pragma once

#include "cli/check.hpp"
#include "kernel/clock.hpp"
#include "kernel/config_type.hpp"

#include <cstdint>
#include <string>

namespace hive::cli {

// Parts of check_store().
Check check_sqlite(const std::string& data, Duration within);
Check check_postgres(const Url& url, Duration within);

std::int64_t known_schema(); // the newest version of it that this program knows
// `where` names the store and begins the sentence.
Check check_schema(const std::string& where, std::int64_t version);

} // namespace hive::cli
