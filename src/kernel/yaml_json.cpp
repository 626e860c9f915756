#include "kernel/yaml_json.hpp"

#include <charconv>
#include <optional>

namespace hive {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Plain words as YAML's core schema has them.
json::value scalar(const YamlNode& node) {
    const std::string& text = node.text;
    if (node.quoted) return json::string{text};
    if (text == "true" || text == "false") return text == "true";
    if (text == "null" || text == "~") return nullptr;
    if (const auto whole = number_in<std::int64_t>(text)) return *whole;
    const bool plain = text.find_first_not_of("0123456789.eE+-") == text.npos;
    if (const auto real = number_in<double>(text); real && plain) return *real;
    return json::string{text};
}

} // namespace

// As deep as the parser let it be.
json::value to_json(const YamlNode& node) {
    switch (node.kind) {
    case YamlNode::Kind::null: return nullptr;
    case YamlNode::Kind::scalar: return scalar(node);
    case YamlNode::Kind::sequence: {
        json::array items;
        for (const YamlNode& item : node.items) items.push_back(to_json(item));
        return items;
    }
    case YamlNode::Kind::mapping: {
        json::object members;
        for (const YamlNode& item : node.items) members[item.key] = to_json(item);
        return members;
    }
    }
    return nullptr;
}

} // namespace hive
