#pragma once

#include "kernel/json.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace hive::importer {

// A document whose parts refer to each other with `$ref: "#/..."`.
class References {
public:
    explicit References(const json::value& root) : root_{root} {}

    // Where it points to in the end; null when it leads nowhere, out of the document or in a
    // circle.
    const json::value* follow(const json::value& node);
    const std::set<std::string>& lost() const noexcept { return lost_; } // those that led nowhere

private:
    const json::value& root_;
    std::set<std::string> lost_{};
};

// A value that a JSON Schema of OpenAPI 3.0 or 3.1 describes: its example or default, else one made
// up. Schemas that hold themselves end after a few rounds.
json::value sample_of(const json::value& schema, References& references);

} // namespace hive::importer
