#pragma once

#include "kernel/yaml.hpp"

#include <string_view>

namespace hive::scenario {

// The node at a dotted path such as `routes[0].list`; null when it is not written. Names may hold
// dots themselves: the longest that fits is taken.
const YamlNode* node_at(const YamlNode& root, std::string_view path);

// Where to point for a path in a bee's configuration, which may be written in one level or with the
// worker's own settings below `worker`. Of what is not written: what is around it.
Position place_in_config(const YamlNode& config, std::string_view path);

// A place within a text, of which line and column are known, as one of the file. Blocks and single
// lines are exact; a text that YAML folds is pointed at as a whole.
struct TextPlace {
    Position at{};
    bool exact = true;
};
TextPlace place_in_text(const YamlNode& scalar, Position within, std::string_view file_text);

} // namespace hive::scenario
