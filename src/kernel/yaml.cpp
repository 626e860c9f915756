#include "kernel/yaml.hpp"

#include "kernel/text.hpp"
#include "kernel/yaml_builder.hpp"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace hive {
namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

Position position_in(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
    const std::size_t start = before.rfind('\n') + 1; // npos + 1 is 0
    return {lines + 1, offset - start + 1};
}

// What stops a file from being read at all, before any YAML is looked at.
std::optional<Finding> check_encoding(std::string_view text, const YamlLimits& limits) {
    Finding finding{.code = "encoding"};
    if (text.size() > limits.bytes) {
        finding.code = "too-large";
        finding.message =
            fmt::format("the file has {} bytes; at most {} are read", text.size(), limits.bytes);
        return finding;
    }
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
        finding.at = {1, 1};
        finding.message = "the file is UTF-16";
        finding.hint = "save it as UTF-8";
        return finding;
    }
    if (const auto bad = find_invalid_utf8(text)) {
        finding.at = position_in(text, *bad);
        finding.message =
            fmt::format("byte 0x{:02x} is not valid UTF-8", static_cast<unsigned char>(text[*bad]));
        finding.hint = "save the file as UTF-8";
        return finding;
    }
    const auto control = std::ranges::find_if(text, [](char c) {
        return (c >= 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
    });
    if (control != text.end()) {
        finding.at = position_in(text, static_cast<std::size_t>(control - text.begin()));
        finding.message =
            fmt::format("control character 0x{:02x}", static_cast<unsigned char>(*control));
        finding.hint = "remove it, or write it as an escape in a \"quoted\" value";
        return finding;
    }
    return std::nullopt;
}

// Editors hide tabs and YAML's own message about them is obscure, so each one is pointed at.
std::vector<Finding> find_tab_indents(std::string_view text) {
    constexpr std::size_t reported_max = 20;
    std::vector<Finding> findings;
    std::size_t line = 1;
    while (!text.empty() && findings.size() < reported_max) {
        const std::string_view row = text.substr(0, text.find('\n'));
        const std::size_t tab = row.find_first_not_of(' ');
        if (tab != row.npos && row[tab] == '\t' && row.find_first_not_of(" \t\r") != row.npos) {
            findings.push_back(
                {.code = "tab",
                 .at = {line, tab + 1},
                 .message = "a tab in the indentation; YAML allows only spaces there",
                 .hint = "replace it with spaces"});
        }
        text.remove_prefix(std::min(row.size() + 1, text.size()));
        ++line;
    }
    return findings;
}

Finding syntax_error(const YAML::Exception& error) {
    // The parser quotes what it found, whatever bytes these are.
    Finding finding{
        .code = "syntax", .message = fmt::format("not valid YAML: {}", printable(error.msg, 200))};
    if (!error.mark.is_null()) finding.at = position_of(error.mark);
    return finding;
}

void read_documents(std::string_view text, YamlBuilder& builder) {
    std::istringstream stream{std::string{text}};
    YAML::Parser parser{stream};
    parser.HandleNextDocument(builder);
    // A second document makes the builder stop; without one this finds the end of the file.
    parser.HandleNextDocument(builder);
}

} // namespace

const YamlNode* YamlNode::find(std::string_view member) const noexcept {
    if (kind != Kind::mapping) return nullptr;
    const auto found = std::ranges::find(items, member, &YamlNode::key);
    return found == items.end() ? nullptr : &*found;
}

std::string_view name_of(YamlNode::Kind kind) noexcept {
    switch (kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::scalar: return "a single value";
    case YamlNode::Kind::sequence: return "a list";
    case YamlNode::Kind::mapping: return "a section";
    }
    std::abort();
}

YamlDocument parse_yaml(std::string_view file, std::string_view text, YamlLimits limits) {
    YamlDocument document;
    if (text.starts_with(utf8_mark)) {
        document.findings.push_back(
            {.severity = Severity::warning,
             .code = "byte-order-mark",
             .at = {1, 1},
             .message = "the file starts with a byte-order mark, which YAML does not need",
             .hint = "save it as UTF-8 without BOM"});
        text.remove_prefix(utf8_mark.size());
    }
    if (auto unreadable = check_encoding(text, limits)) {
        document.findings.push_back(*std::move(unreadable));
    } else {
        YamlBuilder builder{limits, document.findings};
        try {
            read_documents(text, builder);
        } catch (const YamlBuilder::Stop&) {
            // The finding that stopped it is already in the list.
        } catch (const YAML::Exception& error) {
            auto tabs = find_tab_indents(text);
            if (tabs.empty()) tabs.push_back(syntax_error(error));
            std::ranges::move(tabs, std::back_inserter(document.findings));
        }
        document.root = builder.take();
    }
    for (auto& finding : document.findings) finding.file = file;
    return document;
}

} // namespace hive
