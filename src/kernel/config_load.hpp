#pragma once

#include "kernel/config.hpp"
#include "kernel/finding.hpp"
#include "kernel/secret.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

struct GivenFlag {
    std::string flag{};    // the option's long flag
    std::string text{};    // its value; "true" or "false" for a toggle
    std::string spelled{}; // as the person wrote it, for messages: "-p"
};

// Everything a value may come from. A later one wins: default, file, environment, flag.
struct ConfigSources {
    std::optional<SourceText> file{};
    std::function<std::optional<std::string>(const std::string& name)> env{};
    std::vector<GivenFlag> flags{};
    std::vector<std::string> positionals{};
    SecretSources secrets{}; // for {env:NAME} and {file:/path} in secret values
};

// Assigns every usable value to the member it is bound to and returns all problems of all sources,
// also of values that a later source overrides. An empty environment variable counts as not set; in
// the environment a list is separated by commas.
std::vector<Finding> load_config(OptionTable& table, const ConfigSources& sources);

struct Explanation {
    std::string name;
    std::string value; // secrets masked
    std::string where; // "default", "hive.yaml:3:9", "HIVE_HTTP_PORT", "--port"
};

// What each option is set to and why.
std::vector<Explanation> explain(const OptionTable& table);

} // namespace hive
