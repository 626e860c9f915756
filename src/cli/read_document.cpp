#include "cli/read_file.hpp"
#include "cli/swarm_commands.hpp"
#include "kernel/yaml.hpp"
#include "kernel/yaml_json.hpp"

#include <fmt/format.h>

namespace hive::cli {

Result<json::value> read_document(const std::string& path) {
    constexpr std::size_t bytes_max = std::size_t{1} << 20U;
    auto text = read_file(path, bytes_max);
    if (!text) return fail(Errc::invalid, fmt::format("{}: {}", path, text.error().detail));
    // JSON is YAML as well, but has the better words for what is wrong with it.
    if (path.ends_with(".json")) {
        auto parsed = parse_json(*text);
        if (!parsed) return fail(Errc::invalid, fmt::format("{}: {}", path, parsed.error().detail));
        return parsed;
    }
    const YamlDocument document = parse_yaml(path, *text);
    if (has_errors(document.findings)) {
        const Finding& first = document.findings.front();
        return fail(
            Errc::invalid,
            fmt::format("{}:{}:{}: {}", path, first.at.line, first.at.column, first.message));
    }
    return to_json(document.root);
}

} // namespace hive::cli
