#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "kernel/clock.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace hive;
using namespace hive::cli;

namespace {

struct Options {
    FilePath config{};
    std::string name = "queen";
};

void declare(OptionTable& table, Options& options) {
    table.add_flag("config", options.config).env("HIVE_CONFIG");
    table.add("name", options.name);
}

int greet(Options& options, Call& call) {
    call.host.out << "hello " << options.name << '\n';
    return 0;
}

struct Terminal {
    std::ostringstream out{};
    std::ostringstream err{};
    std::map<std::string, std::string> env{};
    VirtualClock clock{};

    int run(const std::vector<std::string>& args) {
        Command root{.text = {.name = "hive"}};
        root.children.push_back(make_command<Options>({.name = "greet"}, declare, greet));
        Host host{
            .out = out,
            .err = err,
            .env = [this](const std::string& name) -> std::optional<std::string> {
                const auto found = env.find(name);
                return found == env.end() ? std::nullopt : std::optional{found->second};
            },
            .clock = clock};
        return run_program(root, args, host);
    }
};

} // namespace

TEST_CASE("a command runs with its settings from flags and environment") {
    Terminal terminal;
    terminal.env["HIVE_NAME"] = "env";
    CHECK(terminal.run({"greet"}) == 0);
    CHECK(terminal.run({"greet", "--name", "flag"}) == 0);
    CHECK(terminal.out.str() == "hello env\nhello flag\n");
    CHECK(terminal.err.str().empty());
}

TEST_CASE("a config file named in the environment that cannot be read stops the command") {
    Terminal terminal;
    terminal.env["HIVE_CONFIG"] = "/nowhere/hive.yaml";
    CHECK(terminal.run({"greet"}) == 2);
    CHECK(terminal.out.str().empty());
    CHECK(
        terminal.err.str() ==
        "/nowhere/hive.yaml: error: cannot be read: No such file or directory\n");
}

TEST_CASE("a directory is not a config file") {
    Terminal terminal;
    CHECK(terminal.run({"greet", "--config", "/"}) == 2);
    CHECK(terminal.err.str() == "/: error: cannot be read: Is a directory\n");
}
