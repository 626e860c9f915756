#include "cli/usage.hpp"

#include "kernel/append_format.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hive::cli {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t option_column = 26; // where the text beside a flag begins

void append_wrapped(std::string& out, std::string_view text, std::size_t indent) {
    for (const auto& line : wrap(text, page_width - indent)) {
        append_format(out, "{:{}}{}\n", "", indent, line);
    }
}

// `  left      right`, wrapped; a left side that is too wide gets a line of its own.
void append_row(std::string& out, std::string_view left, std::string_view right) {
    auto lines = wrap(right, page_width - option_column);
    std::size_t first = 0;
    if (width_of(left) + 4 <= option_column) {
        const std::size_t gap = option_column - 2 - width_of(left);
        append_format(out, "  {}{:{}}{}\n", left, "", gap, lines[0]);
        first = 1;
    } else {
        append_format(out, "  {}\n", left);
    }
    for (std::size_t i = first; i < lines.size(); ++i) {
        append_format(out, "{:{}}{}\n", "", option_column, lines[i]);
    }
}

void append_paragraphs(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find("\n\n");
        append_wrapped(out, text.substr(0, end), 0);
        out += '\n';
        text.remove_prefix(end == text.npos ? text.size() : end + 2);
    }
}

void append_option(std::string& out, const OptionInfo& info) {
    const std::string notes = option_notes(info);
    const std::string text = notes.empty() ? info.help : fmt::format("{} [{}]", info.help, notes);
    append_row(out, info.positional.empty() ? flag_spelling(info) : info.positional, text);
}

} // namespace

std::string usage_line(const std::string& path, const Command& command) {
    std::string line = path;
    if (!command.children.empty()) return line + " COMMAND [OPTION]...";
    const auto options = command.options.options();
    const bool has_flags =
        std::ranges::any_of(options, [](const auto& o) { return !o->info.flag.empty(); });
    if (has_flags) line += " [OPTION]...";
    for (const auto& option : options) {
        const OptionInfo& info = option->info;
        if (info.positional.empty()) continue;
        const std::string name =
            info.arity == Arity::list ? info.positional + "..." : info.positional;
        line += info.required ? " " + name : " [" + name + "]";
    }
    return line;
}

std::string flag_spelling(const OptionInfo& info) {
    std::string out = info.letter != 0 ? fmt::format("-{}, ", info.letter) : std::string{};
    out += "--" + info.flag;
    if (info.arity == Arity::map) return out + " NAME=" + info.value_name;
    return info.arity == Arity::toggle ? out : out + ' ' + info.value_name;
}

std::string option_notes(const OptionInfo& info) {
    std::vector<std::string> notes;
    const bool many = info.arity == Arity::list || info.arity == Arity::map;
    if (info.required) notes.emplace_back("required");
    if (many && info.positional.empty()) notes.emplace_back("may be repeated");
    if (!info.choices.empty() && info.positional.empty() && info.arity != Arity::toggle) {
        const std::string close = fmt::format("{}", fmt::join(info.choices, "|"));
        // Many of them need places where a line can end.
        notes.push_back(
            close.size() <= 50 ? close : fmt::format("{}", fmt::join(info.choices, ", ")));
    }
    if (!info.default_text.empty() && info.arity != Arity::toggle) {
        notes.push_back("default " + info.default_text);
    }
    if (!info.env.empty()) notes.push_back(info.env);
    if (!info.key.empty()) notes.push_back(info.key);
    return fmt::format("{}", fmt::join(notes, "; "));
}

std::string help_text(const std::string& path, const Command& command) {
    std::string out = fmt::format("{}: {}\n\n", path, command.text.summary);
    append_wrapped(out, "Usage: " + usage_line(path, command), 0);
    out += '\n';
    append_paragraphs(out, command.text.description);
    if (!command.children.empty()) {
        out += "Commands:\n";
        for (const Command& child : command.children) {
            append_row(out, child.text.name, child.text.summary);
        }
        out += '\n';
    }
    out += "Options:\n";
    for (const auto& option : command.options.options()) append_option(out, option->info);
    append_row(out, "-h, --help", "show this help");
    const bool is_root = path.find(' ') == std::string::npos;
    if (is_root) append_row(out, "--version", "show the version and what it is built with");
    if (!command.text.examples.empty()) out += "\nExamples:\n";
    for (const Example& example : command.text.examples) {
        append_format(out, "  {}\n", example.line);
        append_wrapped(out, example.does, 6);
    }
    if (!command.children.empty()) {
        append_format(
            out, "\n'{} help COMMAND' says more about one command.\n",
            path.substr(0, path.find(' ')));
    }
    return out;
}

} // namespace hive::cli
