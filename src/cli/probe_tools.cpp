#include "cli/probes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace hive::cli {
namespace {

struct Tool {
    std::string_view name;
    std::string_view package;
    std::string_view needed_for;
};
constexpr std::array<Tool, 3> tools{{
    {"docker", "docker.io", "running bees in containers"},
    {"rabbitmq-server", "rabbitmq-server", "a broker on this machine"},
    {"chromium", "chromium", "browser tests"},
}};

std::optional<std::string> find_program(std::string_view name, std::string_view path) {
    // Servers live in sbin, which the PATH of ordinary users leaves out.
    std::string places = fmt::format("{}:/usr/sbin:/sbin", path);
    std::string_view rest = places;
    while (!rest.empty()) {
        const std::string_view place = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(place.size() + 1, rest.size()));
        const std::string candidate = fmt::format("{}/{}", place, name);
        if (!place.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return std::nullopt;
}

} // namespace

std::vector<Check>
check_tools(const std::function<std::optional<std::string>(const std::string&)>& env) {
    const std::string path = env("PATH").value_or("/usr/bin:/bin");
    std::vector<Check> checks;
    for (const Tool& tool : tools) {
        const auto found = find_program(tool.name, path);
        checks.push_back(
            {.name = std::string{tool.name},
             .health = found ? Health::good : Health::note,
             .message = found ? fmt::format("found at {}", *found)
                              : fmt::format(
                                    "not found; only needed for {} (apt-get install {})",
                                    tool.needed_for, tool.package)});
    }
    return checks;
}

} // namespace hive::cli
