#include "tests/tidy/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace hive::tidy {
namespace {

constexpr std::size_t file_lines_max = 400;
constexpr std::size_t readme_lines_max = 40;
constexpr std::size_t columns_max = 100;
constexpr std::size_t port_functions_max = 7;

bool is_code(const SourceFile& file) {
    return !file.path.ends_with(".md");
}
bool is_header(const SourceFile& file) {
    return file.path.ends_with(".hpp");
}
bool is_test(const SourceFile& file) {
    return file.path.ends_with("_test.cpp");
}

std::optional<std::size_t> rank_of(const SourceTree& tree, const std::string& folder) {
    const auto at = std::ranges::find(tree.map, folder, &Folder::path);
    if (at == tree.map.end()) return std::nullopt;
    return static_cast<std::size_t>(at - tree.map.begin());
}

// The folder of src an include leads to; empty when it leads elsewhere.
std::string folder_of(const SourceTree& tree, const Include& include) {
    const std::size_t slash = include.target.rfind('/');
    if (!include.quoted || slash == std::string::npos) return {};
    const std::string folder = include.target.substr(0, slash);
    return rank_of(tree, folder) ? folder : std::string{};
}

std::string at(const SourceFile& file, std::size_t line, const std::string& sentence) {
    return fmt::format("{}:{}: {}", file.path, line, sentence);
}

// `bus` for `bus/memory`.
std::string context_of(const std::string& folder) {
    return folder.substr(0, folder.find('/'));
}

// Drops // comments and string literals, so that prose about clocks is not a clock.
std::string code_of(const std::string& line) {
    std::string code;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quoted && line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && line.compare(i, 2, "//") == 0) {
            break;
        } else if (!quoted) {
            code += line[i];
        }
    }
    return code;
}

bool wires_programs(const std::string& folder) {
    return folder == "cli" || folder == "sdk";
}

} // namespace

Violations folders_off_the_map(const SourceTree& tree) {
    std::set<std::string> missing;
    for (const auto& file : tree.files) {
        if (!file.folder.empty() && !rank_of(tree, file.folder)) missing.insert(file.folder);
    }
    Violations found;
    for (const auto& folder : missing) {
        found.push_back(fmt::format("src/{} is not on the map of docs/ARCHITECTURE.md", folder));
    }
    return found;
}

Violations includes_against_the_map(const SourceTree& tree) {
    Violations found;
    for (const auto& file : tree.files) {
        const auto rank = rank_of(tree, file.folder);
        if (!rank) continue;
        for (const auto& include : file.includes) {
            const std::string target = folder_of(tree, include);
            if (target.empty() || target == file.folder) continue;
            const std::size_t target_rank = *rank_of(tree, target);
            if (target_rank > *rank) {
                found.push_back(at(
                    file, include.line,
                    fmt::format(
                        "{} may not use {}, which is below it on the map", file.folder, target)));
            } else if (tree.map[target_rank].adapter && !wires_programs(file.folder)) {
                found.push_back(
                    at(file, include.line,
                       fmt::format(
                           "only cli and sdk may use the adapter {}; depend on its port", target)));
            }
        }
    }
    return found;
}

Violations folder_cycles(const SourceTree& tree) {
    std::map<std::string, std::set<std::string>> uses;
    for (const auto& file : tree.files) {
        if (file.folder.empty()) continue;
        for (const auto& include : file.includes) {
            const std::string target = folder_of(tree, include);
            if (!target.empty() && target != file.folder) uses[file.folder].insert(target);
        }
    }
    Violations found;
    for (const auto& [start, direct] : uses) {
        // Everything reachable from `start`; a cycle is reachable from itself.
        std::set<std::string> seen;
        std::vector<std::string> open{direct.begin(), direct.end()};
        while (!open.empty()) {
            const std::string folder = open.back();
            open.pop_back();
            if (!seen.insert(folder).second) continue;
            const auto next = uses.find(folder);
            if (next != uses.end())
                open.insert(open.end(), next->second.begin(), next->second.end());
        }
        if (seen.contains(start)) found.push_back(fmt::format("src/{} is part of a cycle", start));
    }
    return found;
}

Violations outside_headers_in_the_core(const SourceTree& tree) {
    static const std::array<std::string, 8> outside{"amqp",       "sqlite3",     "libpq",
                                                    "boost/asio", "boost/beast", "openssl/",
                                                    "sys/socket", "netinet/"};
    static const std::set<std::string> shells{"api", "call", "cli", "loop"};
    // The doors to cryptography: behind them it is functions of bytes, with no I/O.
    static const std::set<std::string> crypto_doors{
        "src/kernel/digest.cpp", "src/kernel/signature.cpp", "src/kernel/entropy.cpp",
        "src/kernel/web_key.cpp"};
    Violations found;
    for (const auto& file : tree.files) {
        const auto rank = rank_of(tree, file.folder);
        if (!rank || tree.map[*rank].adapter || shells.contains(context_of(file.folder))) continue;
        if (file.name().find("shell") != std::string::npos) continue;
        for (const auto& include : file.includes) {
            const bool banned = std::ranges::any_of(outside, [&](const std::string& prefix) {
                return include.target.starts_with(prefix);
            });
            const bool crypto = include.target.starts_with("openssl/");
            if (!banned || (crypto && crypto_doors.contains(file.path))) continue;
            found.push_back(
                at(file, include.line,
                   fmt::format(
                       "<{}> belongs in an adapter, a shell, loop, call, api or cli",
                       include.target)));
        }
    }
    return found;
}

Violations clocks_and_chance_in_pure_code(const SourceTree& tree) {
    static const std::regex calls{
        R"((system|steady|high_resolution)_clock::now|clock_gettime|gettimeofday|random_device)"
        R"(|\b(std::)?s?rand\(|std::time\(|mt19937|sleep_for|sleep_until|from_entropy|SystemClock)"};
    // The doors through which time and chance enter the program.
    static const std::set<std::string> doors{"src/kernel/clock.hpp",   "src/kernel/clock.cpp",
                                             "src/kernel/random.hpp",  "src/kernel/random.cpp",
                                             "src/kernel/entropy.hpp", "src/kernel/entropy.cpp"};
    Violations found;
    for (const auto& file : tree.files) {
        const auto rank = rank_of(tree, file.folder);
        const bool pure = rank && (tree.map[*rank].pure || file.name().starts_with("decide"));
        if (!pure || !is_code(file) || is_test(file) || doors.contains(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::smatch match;
            const std::string code = code_of(file.lines[i]);
            if (!std::regex_search(code, match, calls)) continue;
            found.push_back(
                at(file, i + 1,
                   fmt::format("'{}' in pure code; take it as an argument", match.str())));
        }
    }
    return found;
}

// A port is a class of pure code that somebody else implements.
Violations wide_ports(const SourceTree& tree) {
    Violations found;
    for (const auto& file : tree.files) {
        const auto rank = rank_of(tree, file.folder);
        if (!rank || !tree.map[*rank].pure || !is_header(file)) continue;
        std::string head;
        std::size_t functions = 0;
        bool is_virtual = false; // a declaration that began with it, perhaps lines ago
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string code = code_of(file.lines[i]);
            if (code.starts_with("class ") || code.starts_with("struct ")) {
                head = code.substr(0, code.find(" {"));
                functions = 0;
            }
            is_virtual |= code.find("virtual ") != std::string::npos;
            if (is_virtual && code.find("= 0;") != std::string::npos) ++functions;
            if (code.find(';') != std::string::npos) is_virtual = false;
            if (code != "};" || functions <= port_functions_max) continue;
            found.push_back(
                at(file, i + 1,
                   fmt::format(
                       "{} has {} functions; split it by who needs what (at most {})", head,
                       functions, port_functions_max)));
        }
    }
    return found;
}

Violations forbidden_names(const SourceTree& tree) {
    static const std::regex vague{R"((^|/)(common|utils?|helpers?|misc|types)(\.|/|_))"};
    static const std::regex manager{R"(\b(class|struct)\s+(\w+(Manager|Impl))\b)"};
    Violations found;
    for (const auto& file : tree.files) {
        if (std::regex_search(file.path, vague)) {
            found.push_back(at(file, 1, "the name says nothing about what is inside"));
        }
        if (!is_header(file)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::smatch match;
            if (!std::regex_search(file.lines[i], match, manager)) continue;
            found.push_back(
                at(file, i + 1, fmt::format("'{}' names no responsibility", match.str(2))));
        }
    }
    return found;
}

Violations files_and_lines_too_long(const SourceTree& tree) {
    Violations found;
    for (const auto& file : tree.files) {
        const std::size_t most = is_code(file) ? file_lines_max : readme_lines_max;
        if (file.lines.size() > most) {
            found.push_back(at(
                file, file.lines.size(),
                fmt::format(
                    "{} lines; split it by what it says (at most {})", file.lines.size(), most)));
        }
        for (std::size_t i = 0; is_code(file) && i < file.lines.size(); ++i) {
            const auto columns = std::ranges::count_if(file.lines[i], [](char c) {
                return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
            });
            if (static_cast<std::size_t>(columns) <= columns_max) continue;
            // A string that must stay in one piece is the formatter's only exception, and ours.
            if (file.lines[i].find("R\"") != std::string::npos) continue;
            found.push_back(
                at(file, i + 1, fmt::format("{} columns (at most {})", columns, columns_max)));
        }
    }
    return found;
}

Violations headers_without_guard(const SourceTree& tree) {
    Violations found;
    for (const auto& file : tree.files) {
        if (is_header(file) && (file.lines.empty() || file.lines.front() != "#pragma once")) {
            found.push_back(at(file, 1, "a header starts with #pragma once"));
        }
    }
    return found;
}

Violations folders_without_readme(const SourceTree& tree) {
    Violations found;
    for (const auto& folder : tree.map) {
        const std::string readme = fmt::format("src/{}/README.md", folder.path);
        if (std::ranges::find(tree.files, readme, &SourceFile::path) == tree.files.end()) {
            found.push_back(fmt::format("{} is missing: say what belongs in the folder", readme));
        }
    }
    return found;
}

// `hub_traffic_test.cpp` may sit beside `hub.cpp`: a second file of tests says what they are about.
Violations tests_without_source(const SourceTree& tree) {
    std::set<std::string> paths;
    for (const auto& file : tree.files) paths.insert(file.path);
    const auto has_source = [&](std::string stem) {
        const std::size_t name = stem.rfind('/') + 1;
        for (;;) {
            if (paths.contains(stem + ".hpp") || paths.contains(stem + ".cpp")) return true;
            const std::size_t shorter = stem.rfind('_');
            if (shorter == std::string::npos || shorter <= name) return false;
            stem.resize(shorter);
        }
    };
    Violations found;
    for (const auto& file : tree.files) {
        if (!is_test(file) || file.folder.empty()) continue;
        const std::string stem = file.path.substr(0, file.path.size() - 9);
        if (has_source(stem)) continue;
        found.push_back(at(file, 1, fmt::format("tests {}, which does not exist", stem)));
    }
    return found;
}

} // namespace hive::tidy
