#pragma once

#include "kernel/json.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hive::cli {

enum class Health : std::uint8_t {
    good,
    note,      // worth knowing; nothing to do
    warning,   // works, but not well
    missing,   // required and not there
    bad_input, // someone must change what they wrote
};

std::string_view name_of(Health health) noexcept;

// The answer to one question about the machine or its servers.
struct Check {
    std::string name{}; // "broker"
    Health health = Health::good;
    std::string message{}; // one sentence
    std::string remedy{};  // what to do; empty when nothing
};

// `✓ port      127.0.0.1:8080 is free`, aligned, the remedy under it.
std::string render(std::span<const Check> checks, bool colors);
json::value to_json(std::span<const Check> checks);
int exit_code_of(std::span<const Check> checks) noexcept;

} // namespace hive::cli
