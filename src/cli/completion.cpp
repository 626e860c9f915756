#include "cli/completion.hpp"

namespace hive::cli {

std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + '\'';
}

std::vector<std::string> nested_paths(const Command& root) {
    std::vector<std::string> paths;
    walk(root, [&](const std::string& path, const Command& command) {
        if (&command != &root) paths.push_back(path);
    });
    return paths;
}

std::vector<std::string> positional_choices(const Command& command) {
    std::vector<std::string> choices;
    for (const auto& option : command.options.options()) {
        if (option->info.positional.empty()) continue;
        choices.insert(choices.end(), option->info.choices.begin(), option->info.choices.end());
    }
    return choices;
}

} // namespace hive::cli
