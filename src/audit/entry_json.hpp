#pragma once

#include "audit/entry.hpp"
#include "kernel/result.hpp"

#include <array>
#include <string>
#include <string_view>

namespace hive::audit {

// An entry as one JSON object: what the API answers and what an export holds, a line each.
// docs/spec/audit-entry.schema.json describes it.
void append_json(std::string& out, const EntryView& entry);

// Reads back exactly what append_json writes; any other spelling of the same JSON is refused, so
// that no byte of an export can change unseen. Details are taken as they stand: their commitment
// decides, not this reader.
class EntryReader {
public:
    // The view points into `line` and into this reader; it is good until either changes.
    Result<EntryView> read(std::string_view line);

private:
    std::array<std::string, 7> scratch_{}; // texts with escapes, unescaped
};

} // namespace hive::audit
