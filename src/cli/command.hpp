#pragma once

#include "cli/host.hpp"
#include "kernel/config.hpp"
#include "kernel/finding.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hive::cli {

struct Example {
    std::string line; // what to type
    std::string does; // what happens then
};

struct CommandText {
    std::string name{};
    std::string summary{};     // one line without a full stop
    std::string description{}; // paragraphs separated by an empty line; may be empty
    std::vector<Example> examples{};
};

struct Command;

// One run of one command.
struct Call {
    Host& host;
    const Command& root; // the whole tree, for help and what is generated from it
    const Command& self;
    std::string config_name{}; // empty: no config file was given
    std::string config_text{};
    std::vector<Finding> findings{}; // of the config file; only for commands that take them
};

// A command or a group of commands. Parsing, usage, help, completion and the man page are all made
// from this tree, so they cannot disagree.
struct Command {
    CommandText text{};
    OptionTable options{};
    std::vector<Command> children{};    // a group has these and no `run`
    std::function<int(Call&)> run{};    // answers the exit code
    bool takes_config_findings = false; // reports a broken config file itself

    const Command* find(std::string_view name) const noexcept;
};

// A command whose options live in a struct of its own.
template <class Options>
Command make_command(
    CommandText text, void (*declare)(OptionTable&, Options&), int (*run)(Options&, Call&)) {
    // Shared because std::function must be copyable; the table's options refer to it as well.
    auto options = std::make_shared<Options>();
    Command command{.text = std::move(text)};
    declare(command.options, *options);
    command.run = [options, run](Call& call) { return run(*options, call); };
    return command;
}

// Calls visit("hive doctor", command) for the command and everything below it, parents first.
void walk(
    const Command& command,
    const std::function<void(const std::string& path, const Command& command)>& visit);

} // namespace hive::cli
