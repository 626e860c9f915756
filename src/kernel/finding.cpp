#include "kernel/finding.hpp"

#include "kernel/append_format.hpp"
#include "kernel/secret.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace hive {
namespace {

constexpr std::size_t excerpt_max = 160; // bytes of a source line worth showing
constexpr std::size_t line_max = 4096;   // bytes of a source line worth looking at

std::string_view line_of(std::string_view text, std::size_t line) {
    for (std::size_t i = 1; i < line; ++i) {
        const std::size_t end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text.substr(0, line_max);
}

// Where a value begins on this line that nobody should see, judged by the word before it: a file
// that does not parse has no keys yet that could be known to be secret.
std::size_t find_secret_value(std::string_view line) {
    std::string lower{line};
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::array<std::string_view, 6> words{"pass",       "secret",  "token",
                                                    "credential", "private", "apikey"};
    std::size_t first = line.npos;
    for (const auto word : words) {
        const std::size_t at = lower.find(word);
        if (at != lower.npos) first = std::min(first, lower.find_first_of(":=", at));
    }
    return first == line.npos ? first : first + 1;
}

std::string excerpt_of(std::string_view line) {
    const std::size_t hidden = find_secret_value(line);
    std::string shown = mask_url_passwords(line.substr(0, hidden));
    if (hidden < line.size()) append_format(shown, " {}", masked);
    std::ranges::replace(shown, '\t', ' '); // one column each, so that the caret stays aligned
    return printable(shown, excerpt_max);
}

void append_excerpt(std::string& out, const Finding& finding, std::span<const SourceText> sources) {
    if (finding.secret || finding.at.line == 0) return;
    const auto source = std::ranges::find(sources, finding.file, &SourceText::file);
    if (source == sources.end()) return;
    const std::string shown = excerpt_of(line_of(source->text, finding.at.line));
    if (shown.empty()) return;
    const auto number = fmt::format("{:>5}", finding.at.line);
    append_format(out, "{} | {}\n", number, shown);
    if (finding.at.column == 0 || finding.at.column > excerpt_max) return;
    const std::size_t before = std::min(finding.at.column - 1, shown.size());
    const std::size_t indent = width_of(std::string_view{shown}.substr(0, before));
    append_format(out, "{:>5} | {:>{}}^\n", "", "", indent);
}

std::string place_of(const Finding& finding) {
    if (finding.file.empty()) return {}; // the message itself names the flag or variable
    std::string place = printable(finding.file, 400);
    if (finding.at.line != 0) place += fmt::format(":{}", finding.at.line);
    if (finding.at.line != 0 && finding.at.column != 0) {
        place += fmt::format(":{}", finding.at.column);
    }
    return place;
}

void set_unless_empty(json::object& object, std::string_view name, std::string_view text) {
    if (!text.empty()) object[name] = text;
}

} // namespace

std::string_view name_of(Severity severity) noexcept {
    switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
    }
    std::abort();
}

bool has_errors(std::span<const Finding> findings) noexcept {
    return std::ranges::any_of(
        findings, [](const Finding& f) { return f.severity == Severity::error; });
}

std::string render(std::span<const Finding> findings, std::span<const SourceText> sources) {
    std::string out;
    for (const Finding& finding : findings) {
        if (const auto place = place_of(finding); !place.empty()) out += place + ": ";
        append_format(out, "{}: {}\n", name_of(finding.severity), finding.message);
        append_excerpt(out, finding, sources);
        if (!finding.hint.empty()) {
            append_format(out, "      = {}\n", finding.hint);
        }
    }
    return out;
}

json::value to_json(const Finding& finding) {
    json::object object;
    object["severity"] = name_of(finding.severity);
    object["code"] = finding.code;
    set_unless_empty(object, "file", finding.file);
    if (finding.at.line != 0) object["line"] = finding.at.line;
    if (finding.at.column != 0) object["column"] = finding.at.column;
    set_unless_empty(object, "origin", finding.origin);
    set_unless_empty(object, "key", finding.key);
    object["message"] = finding.message;
    set_unless_empty(object, "hint", finding.hint);
    return object;
}

json::value to_json(std::span<const Finding> findings) {
    json::array array;
    for (const Finding& finding : findings) array.push_back(to_json(finding));
    return array;
}

} // namespace hive
