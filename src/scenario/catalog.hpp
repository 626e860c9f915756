#pragma once

#include "kernel/field.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// What is known of one kind of bee.
struct Capability {
    std::vector<FieldInfo> fields{};
    // Paths of problems begin with "config".
    std::function<FieldProblems(const json::object& config)> problems{}; // none: anything goes
};

// By role.
using Catalog = std::map<std::string, Capability, std::less<>>;

// The field at a path of a configuration: `message.headers.X-Id` is one of `message.headers{}`.
const FieldInfo* find_field(const Capability& capability, std::string_view path);

} // namespace hive::scenario
