#pragma once

#include "kernel/result.hpp"
#include "wire/shown.hpp"

#include <string>
#include <string_view>

namespace hive::wire {

// Finds the enumerator that `name_of` spells as `text`; the error lists the choices.
template <class Choices>
Result<typename Choices::value_type> parse_choice(const Choices& choices, std::string_view text) {
    std::string names;
    for (const auto choice : choices) {
        if (name_of(choice) == text) return choice;
        if (!names.empty()) names += ", ";
        names += name_of(choice);
    }
    return fail(Errc::invalid, in_quotes(text) + " is not one of " + names);
}

} // namespace hive::wire
