#include "call/headers.hpp"

#include <algorithm>

namespace hive::call {
namespace {

bool same_letter(char a, char b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return lower(a) == lower(b);
}

} // namespace

Headers::Field Headers::operator[](std::size_t index) const noexcept {
    const Place& place = fields_[index];
    const std::string_view text = text_;
    return {
        text.substr(place.name, place.name_end - place.name),
        text.substr(place.value, place.end - place.value)};
}

std::string_view Headers::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const Field field = (*this)[i];
        if (std::ranges::equal(field.name, name, same_letter)) return field.value;
    }
    return {};
}

} // namespace hive::call
