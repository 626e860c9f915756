#include "scenario/variables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::scenario {

const Variable* Variables::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(definitions, name, &Variable::name);
    return found == definitions.end() ? nullptr : &*found;
}

Result<json::object>
values_of(const Variables& variables, std::string_view profile, std::string_view sut) {
    const Variables::Values* global = nullptr;
    if (const auto found = variables.global.find(profile); found != variables.global.end()) {
        global = &found->second;
    }
    const Variables::Values* local = nullptr;
    if (const auto suts = variables.sut.find(profile); suts != variables.sut.end()) {
        const auto found = suts->second.find(sut);
        if (found != suts->second.end()) local = &found->second;
    }
    json::object out;
    std::string missing;
    for (const Variable& variable : variables.definitions) {
        const auto* values = variable.scope == VariableScope::global ? global : local;
        const auto found =
            values != nullptr ? values->find(variable.name) : Variables::Values::const_iterator{};
        if (values != nullptr && found != values->end()) {
            out[variable.name] = found->second;
        } else if (variable.required) {
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", variable.name);
        }
    }
    if (missing.empty()) return out;
    return fail(
        Errc::invalid,
        fmt::format(
            "no value for {} with profile '{}' and SUT '{}'; add it to variables.yaml or choose "
            "others",
            missing, profile, sut));
}

} // namespace hive::scenario
