#include "cli/man_page.hpp"

#include "cli/usage.hpp"
#include "kernel/append_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace hive::cli {
namespace {

// Text that roff must not take for a request, a command or a hyphen it may replace.
std::string roff(std::string_view text) {
    std::string out;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
        line_start = c == '\n';
    }
    return out;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

void append_paragraphs(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find("\n\n");
        append_format(out, ".PP\n{}\n", roff(text.substr(0, end)));
        text.remove_prefix(end == text.npos ? text.size() : end + 2);
    }
}

void append_options(std::string& out, const Command& command) {
    for (const auto& option : command.options.options()) {
        const OptionInfo& info = option->info;
        const std::string notes = option_notes(info);
        append_format(
            out, ".TP\n.B {}\n{}{}\n",
            roff(info.positional.empty() ? flag_spelling(info) : info.positional), roff(info.help),
            notes.empty() ? "" : roff(fmt::format(" [{}]", notes)));
    }
}

void append_command(std::string& out, const std::string& path, const Command& command) {
    append_format(
        out, ".SS {}\n{}.\n.PP\n.B {}\n", roff(path), roff(command.text.summary),
        roff(usage_line(path, command)));
    append_paragraphs(out, command.text.description);
    append_options(out, command);
    for (const Example& example : command.text.examples) {
        append_format(
            out, ".PP\n.nf\n.RS\n$ {}\n.RE\n.fi\n{}.\n", roff(example.line), roff(example.does));
    }
}

void append_environment(std::string& out, const Command& root) {
    std::map<std::string, std::string> variables;
    walk(root, [&](const std::string&, const Command& command) {
        for (const auto& option : command.options.options()) {
            if (!option->info.env.empty()) variables[option->info.env] = option->info.help;
        }
    });
    variables["NO_COLOR"] = "when set to anything, no output is coloured";
    out += ".SH ENVIRONMENT\n";
    for (const auto& [name, help] : variables) {
        append_format(out, ".TP\n.B {}\n{}\n", roff(name), roff(help));
    }
}

constexpr std::string_view exit_status = R"(.SH EXIT STATUS
.TP
.B 0
all went well
.TP
.B 1
a run was measured and a threshold failed
.TP
.B 2
the command line or a file must be changed; the message says how
.TP
.B 3
something needed is missing or broke
.TP
.B 130
interrupted
)";

} // namespace

std::string man_page(const Command& root, const std::string& version) {
    const std::string& name = root.text.name;
    std::string out = fmt::format(
        ".TH {} 1 \"\" \"PocketHive {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
        ".SH SYNOPSIS\n.B {}\n.SH DESCRIPTION\n",
        upper(name), roff(version), name, roff(root.text.summary), roff(usage_line(name, root)));
    append_paragraphs(out, root.text.description);
    out += ".SH COMMANDS\n";
    walk(root, [&](const std::string& path, const Command& command) {
        if (&command != &root) append_command(out, path, command);
    });
    append_environment(out, root);
    out += exit_status;
    return out;
}

} // namespace hive::cli
