#include "template/value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace hive::templates {

std::string_view name_of(Kind kind) noexcept {
    switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "a boolean";
    case Kind::integer:
    case Kind::real: return "a number";
    case Kind::text: return "a text";
    case Kind::list: return "a list";
    case Kind::map:
    case Kind::headers: return "a map";
    case Kind::instant: return "a time";
    case Kind::item: return "a work item";
    }
    std::abort();
}

const Value* find(std::span<const Entry> entries, std::string_view key) noexcept {
    for (std::size_t i = entries.size(); i-- > 0;) {
        if (entries[i].key == key) return &entries[i].value;
    }
    return nullptr;
}

void append_number(std::string& out, std::int64_t value) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

void append_number(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "NaN";
        return;
    }
    if (std::isinf(value)) {
        out += value < 0 ? "-Infinity" : "Infinity";
        return;
    }
    std::array<char, 32> digits{};
    char* const last = digits.data() + digits.size();
    // Whole numbers that a double holds exactly; beyond them an exponent says that digits are lost.
    constexpr double exact_max = 9007199254740992.0;
    const bool whole = std::trunc(value) == value && std::abs(value) <= exact_max;
    const auto end = whole ? std::to_chars(digits.data(), last, static_cast<std::int64_t>(value))
                           : std::to_chars(digits.data(), last, value);
    out.append(digits.data(), end.ptr);
}

} // namespace hive::templates
