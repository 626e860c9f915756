#pragma once

#include "kernel/field_binding.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive {

// Reads the whole of it, or says all that is wrong in one error.
template <Described T>
Result<T> bind(const json::object& object, const std::string& path = "config") {
    T value{};
    FieldTable table;
    describe(table, value);
    FieldProblems problems;
    table.read(object, path, problems);
    if (!problems.empty()) return fail(Errc::invalid, to_text(problems));
    return value;
}

template <Described T>
FieldProblems problems_of(const json::object& object, const std::string& path = "config") {
    T value{};
    FieldTable table;
    describe(table, value);
    FieldProblems problems;
    table.read(object, path, problems);
    return problems;
}

template <Described T>
std::vector<FieldInfo> fields_of() {
    T value{};
    FieldTable table;
    describe(table, value);
    std::vector<FieldInfo> all;
    table.list("", all);
    return all;
}

template <Described T>
json::object without_secrets(json::object object) {
    T value{};
    FieldTable table;
    describe(table, value);
    json::value whole = std::move(object);
    table.mask(whole);
    return std::move(whole.get_object());
}

} // namespace hive
