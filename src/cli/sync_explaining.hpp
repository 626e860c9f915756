#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>

namespace hive::cli {

// What the reader of files sees in this one: fields, each with where it was found. The aliases of
// the `.deia` directory that it is in are used.
Result<json::object> explained(const std::string& file, const std::string& zone);
std::string explanation_text(const json::object& document);

} // namespace hive::cli
