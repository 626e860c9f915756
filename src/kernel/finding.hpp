#pragma once

#include "kernel/json.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

enum class Severity : std::uint8_t { note, warning, error };

std::string_view name_of(Severity severity) noexcept;

// Lines and columns count from 1, columns in bytes; 0 means unknown.
struct Position {
    std::size_t line = 0;
    std::size_t column = 0;

    bool operator==(const Position&) const = default;
};

// Something a person should change in what they gave us: a config file, a scenario, a flag.
struct Finding {
    Severity severity = Severity::error;
    std::string code{};    // a stable word for scripts, e.g. "unknown-key"
    std::string file{};    // empty when the value did not come from a file
    Position at{};         // within `file`
    std::string origin{};  // the flag or variable, when it is not a file
    std::string key{};     // what the value is for, e.g. "http.port"
    std::string message{}; // what was found and what is expected
    std::string hint{};    // what to do; may be empty
    bool secret = false;   // the source line must not be shown

    bool operator==(const Finding&) const = default;
};

bool has_errors(std::span<const Finding> findings) noexcept;

struct SourceText {
    std::string_view file;
    std::string_view text;
};

// For people, like a compiler: `hive.yaml:3:9: error: ...`, with the source line and a caret when a
// source of that name is given. Passwords on shown lines are masked.
std::string render(std::span<const Finding> findings, std::span<const SourceText> sources = {});

// For scripts; unknown positions and empty fields are left out.
json::value to_json(const Finding& finding);
json::value to_json(std::span<const Finding> findings);

} // namespace hive
