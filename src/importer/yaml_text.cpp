#include "importer/yaml_text.hpp"

#include "kernel/json.hpp"

#include <algorithm>
#include <array>

namespace hive::importer {
namespace {

bool is_plain(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (text.empty() || !(is_letter(text.front()) || text.front() == '/')) return false;
    constexpr std::array<std::string_view, 8> words{"true", "false", "null", "yes",
                                                    "no",   "on",    "off",  "y"};
    std::string small{text};
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (small == "n" || std::ranges::find(words, small) != words.end()) return false;
    return std::ranges::all_of(text, [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' ||
               c == '_' || c == '+';
    });
}

bool is_one_line(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7f; });
}

} // namespace

std::string yaml_scalar(std::string_view text) {
    if (is_plain(text)) return std::string{text};
    std::string out;
    if (is_one_line(text) && text.find_first_of("\"\\") != text.npos) {
        out = "'";
        for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
        return out + "'";
    }
    append_json_string(out, text);
    // YAML has no place for this one as it is, and JSON does not mind it.
    for (auto at = out.find('\x7f'); at != out.npos; at = out.find('\x7f', at)) {
        out.replace(at, 1, "\\x7f");
    }
    return out;
}

std::string as_template(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool opens = rest.starts_with("{{") || rest.starts_with("{%") ||
                           rest.starts_with("{#") || rest.starts_with("{env:") ||
                           rest.starts_with("{file:");
        if (opens)
            out += "{{ '{' }}";
        else
            out += text[i];
    }
    return out;
}

} // namespace hive::importer
