#pragma once

#include "kernel/result.hpp"
#include "template/regex.hpp"
#include "template/value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hive::templates {

class Machine;

struct Args {
    const Value* values = nullptr;
    std::size_t count = 0;
    const Regex* pattern = nullptr; // when it was known at load time

    const Value& operator[](std::size_t i) const { return values[i]; }
    std::size_t size() const { return count; }
};

// An argument that is known at load time, or nothing.
using Known = std::optional<Value>;

// One function, filter or test. A filter's first argument is what stands before the bar.
struct Function {
    static constexpr std::uint8_t any = 255;
    static constexpr std::uint8_t no_pattern = 255;

    std::string_view name;
    std::uint8_t least; // arguments
    std::uint8_t most;
    Value (*call)(Machine& machine, const Args& args);
    // What can be wrong with constant arguments, found at load time.
    Status (*check)(std::span<const Known> args) = nullptr;
    std::uint8_t pattern = no_pattern; // the argument that is a regular expression
};

enum class Table : std::uint8_t { function, filter, test };

std::span<const Function> all_functions();
// Where it is in all_functions(); nothing when there is none of that name.
std::optional<std::size_t> find_function(Table table, std::string_view name);
// The name that was probably meant.
std::optional<std::string> nearest_function(Table table, std::string_view name);

} // namespace hive::templates
