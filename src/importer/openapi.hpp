#pragma once

#include "importer/draft.hpp"
#include "kernel/result.hpp"

#include <string_view>

namespace hive::importer {

inline constexpr std::size_t openapi_bytes_max = std::size_t{16} << 20U;

// A call for each operation of an OpenAPI 3 document, JSON or YAML, in its order. Parameters and
// bodies are the examples in it, or made up from the schemas. Errc::invalid when it is none.
Result<Draft> read_openapi(std::string_view text);

} // namespace hive::importer
