#pragma once

#include <span>
#include <string_view>

namespace hive::rest {

// A file of docs/spec, embedded when the program was built.
struct SpecDocument {
    std::string_view name; // `control-events.schema.json`
    std::string_view content_type;
    std::string_view text;
};
std::span<const SpecDocument> spec_documents();

} // namespace hive::rest
