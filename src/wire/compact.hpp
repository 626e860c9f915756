#pragma once

#include <simdjson.h>

#include <string>

namespace hive::wire {

// The canonical text of a value: no white space, numbers in their shortest exact form. What it
// writes reads back to the same text.
void append_compact(std::string& out, const simdjson::dom::element& value);

} // namespace hive::wire
