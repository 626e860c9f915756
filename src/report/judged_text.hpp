#pragma once

#include "telemetry/summary.hpp"

#include <string>

namespace hive::report {

// What was measured, in the unit the threshold speaks of; "not measured" without a value.
std::string value_text(const telemetry::Summary::Judged& judged);

// What a search for the highest rate has found, as a sentence.
std::string found_text(const telemetry::Summary::FindMax& found);

} // namespace hive::report
