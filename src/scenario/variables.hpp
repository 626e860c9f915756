#pragma once

#include "kernel/finding.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

enum class VariableScope : std::uint8_t { global, sut };
enum class VariableType : std::uint8_t { string, integer, number, boolean, object };

struct Variable {
    std::string name;
    VariableScope scope = VariableScope::global;
    VariableType type = VariableType::string;
    bool required = false;
    Position at{};
};

struct Profile {
    std::string id;
    std::string name{};
};

// variables.yaml: what may differ from one run to the next without an edit.
struct Variables {
    using Values = std::map<std::string, json::value, std::less<>>; // by name

    std::vector<Variable> definitions{};
    std::vector<Profile> profiles{};
    std::map<std::string, Values, std::less<>> global{}; // by profile
    std::map<std::string, std::map<std::string, Values, std::less<>>, std::less<>>
        sut{}; // by profile, then by environment

    const Variable* find(std::string_view name) const noexcept;
};

// The flat map that templates see as `vars`. Errc::invalid when a required one has no value.
Result<json::object>
values_of(const Variables& variables, std::string_view profile, std::string_view sut);

} // namespace hive::scenario
