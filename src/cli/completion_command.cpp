#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/exit_code.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace hive::cli {

enum class ShellName : std::uint8_t { bash, zsh, fish };

namespace {

constexpr std::array<Named<ShellName>, 3> shell_names{{
    {"bash", ShellName::bash},
    {"zsh", ShellName::zsh},
    {"fish", ShellName::fish},
}};

} // namespace

std::span<const Named<ShellName>> names_of(ShellName) {
    return shell_names;
}

namespace {

struct CompletionOptions {
    ShellName shell = ShellName::bash;
};

std::string script_for(ShellName shell, const Command& root) {
    switch (shell) {
    case ShellName::bash: return bash_completion(root);
    case ShellName::zsh: return zsh_completion(root);
    case ShellName::fish: return fish_completion(root);
    }
    std::abort();
}

int run_completion(CompletionOptions& options, Call& call) {
    call.host.out << script_for(options.shell, call.root);
    return exit_ok;
}

} // namespace

Command completion_command() {
    return make_command<CompletionOptions>(
        {.name = "completion",
         .summary = "print a script that completes commands in your shell",
         .examples =
             {{"source <(hive completion bash)", "complete in this bash"},
              {"hive completion zsh > ~/.zfunc/_hive",
               "complete in zsh; ~/.zfunc must be in fpath"},
              {"hive completion fish > ~/.config/fish/completions/hive.fish", "complete in fish"}}},
        [](OptionTable& table, CompletionOptions& options) {
            table.add_positional("SHELL", options.shell)
                .required()
                .help("the shell to complete in: bash, zsh or fish");
        },
        run_completion);
}

} // namespace hive::cli
