#pragma once

#include <string>
#include <string_view>

namespace hive::importer {

// One scalar on one line that reads back as just this text: plain where it can be, else quoted.
std::string yaml_scalar(std::string_view text);

// A template that renders to just this text, and in which no secret is looked up.
std::string as_template(std::string_view text);

} // namespace hive::importer
