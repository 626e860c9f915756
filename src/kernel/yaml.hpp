#pragma once

#include "kernel/finding.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

// A document as written: scalars stay text, and every node knows where it stands.
struct YamlNode {
    enum class Kind : std::uint8_t { null, scalar, sequence, mapping };

    Kind kind = Kind::null;
    Position at{};
    std::string text{};  // of a scalar
    bool quoted = false; // "8080" rather than 8080
    std::string key{};   // of a member of a mapping
    Position key_at{};
    std::vector<YamlNode>
        items{}; // of a sequence or mapping, in the order written; keys are unique

    const YamlNode* find(std::string_view member) const noexcept;
};

std::string_view name_of(YamlNode::Kind kind) noexcept; // with its article: "a list"

// Checked while reading. Aliases count as what they stand for, so a bomb of them hits a bound.
struct YamlLimits {
    std::size_t bytes = std::size_t{1} << 20U;
    std::size_t depth = 64;
    std::size_t nodes = 100'000;
};

struct YamlDocument {
    YamlNode root{};
    std::vector<Finding> findings{}; // with an error among them, root holds what was read before it
};

// One document in UTF-8. Refused: duplicate keys, keys that are not scalars, tags beyond the core
// schema, a second document, aliases to an enclosing node. `file` is only for the findings.
YamlDocument parse_yaml(std::string_view file, std::string_view text, YamlLimits limits = {});

} // namespace hive
