#include "cli/commands.hpp"
#include "cli/usage.hpp"
#include "kernel/text.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace hive;
using namespace hive::cli;

namespace {

std::string help_of(std::string_view name) {
    const Command root = hive_command();
    return help_text("hive " + std::string{name}, *root.find(name));
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("help shows usage, each flag with its default and sources, and examples") {
    const std::string help = help_of("doctor");
    CHECK(contains(help, "Usage: hive doctor [OPTION]...\n"));
    CHECK(contains(help, "  -p, --port N            port of the dashboard"));
    CHECK(contains(help, "default 8080"));
    CHECK(contains(help, "HIVE_HTTP_PORT; http.port]"));
    CHECK(contains(help, "human|json"));
    CHECK(contains(help, "Examples:\n  hive doctor\n"));
}

TEST_CASE("positionals appear in the usage, in brackets unless required") {
    CHECK(contains(help_of("help"), "Usage: hive help [COMMAND...]\n"));
    CHECK(contains(help_of("completion"), "Usage: hive completion SHELL\n"));
}

TEST_CASE("no line of any help is wider than a terminal, and every option is explained") {
    walk(hive_command(), [](const std::string& path, const Command& command) {
        std::istringstream lines{help_text(path, command)};
        for (std::string line; std::getline(lines, line);)
            CHECK_MESSAGE(width_of(line) <= 80, line);
        CHECK_FALSE(command.text.summary.empty());
        for (const auto& option : command.options.options()) {
            CHECK_MESSAGE(!option->info.help.empty(), path << ' ' << option->info.name());
        }
        CHECK_MESSAGE((command.run != nullptr) == command.children.empty(), path);
    });
}

TEST_CASE("the root lists every command") {
    const Command root = hive_command();
    const std::string help = help_text("hive", root);
    for (const Command& child : root.children) CHECK(contains(help, "\n  " + child.text.name));
}
