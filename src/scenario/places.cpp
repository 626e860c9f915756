#include "scenario/places.hpp"

#include <algorithm>
#include <charconv>

namespace hive::scenario {
namespace {

struct Found {
    const YamlNode* node;
    std::size_t matched; // bytes of the path
};

const YamlNode* element(const YamlNode& list, std::string_view index) {
    std::size_t at = 0;
    const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), at);
    if (error != std::errc{} || end != index.data() + index.size()) return nullptr;
    return list.kind == YamlNode::Kind::sequence && at < list.items.size() ? &list.items[at]
                                                                           : nullptr;
}

// The member or element that the path begins with, and what of the path it is.
Found step(const YamlNode& node, std::string_view path) {
    if (path.starts_with('[')) {
        const auto close = path.find(']');
        if (close == path.npos) return {nullptr, 0};
        return {element(node, path.substr(1, close - 1)), close + 1};
    }
    Found best{nullptr, 0};
    if (node.kind != YamlNode::Kind::mapping) return best;
    for (const YamlNode& member : node.items) {
        if (member.key.size() < best.matched || !path.starts_with(member.key)) continue;
        const auto rest = path.substr(member.key.size());
        if (rest.empty() || rest.front() == '.' || rest.front() == '[') {
            best = {&member, member.key.size()};
        }
    }
    return best;
}

// As far as the path is written.
Found walk(const YamlNode& root, std::string_view path) {
    Found found{&root, 0};
    while (found.matched < path.size()) {
        const auto next = step(*found.node, path.substr(found.matched));
        if (next.node == nullptr) break;
        found = {next.node, found.matched + next.matched};
        if (found.matched < path.size() && path[found.matched] == '.') ++found.matched;
    }
    return found;
}

Position place_of(const YamlNode& node) {
    return node.key.empty() ? node.at : node.key_at;
}

std::string_view line_of(std::string_view text, std::size_t line) {
    for (std::size_t i = 1; i < line; ++i) {
        const auto end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

} // namespace

const YamlNode* node_at(const YamlNode& root, std::string_view path) {
    const Found found = walk(root, path);
    return found.matched == path.size() ? found.node : nullptr;
}

Position place_in_config(const YamlNode& config, std::string_view path) {
    Found found = walk(config, path);
    if (const YamlNode* worker = config.find("worker"); worker != nullptr) {
        const Found below = walk(*worker, path);
        if (below.matched > found.matched) found = below;
    }
    return place_of(*found.node);
}

TextPlace place_in_text(const YamlNode& scalar, Position within, std::string_view file_text) {
    const std::string_view line = line_of(file_text, scalar.at.line);
    const std::size_t begin = scalar.at.column == 0 ? 0 : scalar.at.column - 1;
    const std::string_view rest = begin < line.size() ? line.substr(begin) : std::string_view{};
    if (rest.starts_with('|')) {
        const std::string_view first = line_of(file_text, scalar.at.line + 1);
        const std::size_t indent = std::min(first.find_first_not_of(' '), first.size());
        return {{scalar.at.line + within.line, indent + within.column}};
    }
    const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
    // An escape before the place would move it; then the whole text is pointed at.
    const auto written = rest.substr(quoted ? 1 : 0);
    if (within.line == 1 && written.starts_with(scalar.text)) {
        return {{scalar.at.line, scalar.at.column + (quoted ? 1 : 0) + within.column - 1}};
    }
    return {scalar.at, false};
}

} // namespace hive::scenario
