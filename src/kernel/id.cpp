#include "kernel/id.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive {
namespace {

constexpr std::size_t id_max = 63;

constexpr bool is_alnum(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
constexpr bool is_id_char(char c) {
    return is_alnum(c) || c == '_' || c == '-';
}

// Hostile input may be long or unprintable; an error message must be neither.
std::string shown(std::string_view text) {
    constexpr std::size_t shown_max = 80;
    std::string out;
    for (const char c : text.substr(0, shown_max)) {
        out += (c >= ' ' && c <= '~') ? c : '?';
    }
    return text.size() > shown_max ? out + "..." : out;
}

} // namespace

Status check_id(std::string_view field, std::string_view text) {
    if (text.empty()) return fail(Errc::invalid, fmt::format("{} must not be empty", field));
    if (text.size() > id_max) {
        return fail(
            Errc::invalid, fmt::format(
                               "{} '{}' has {} characters; at most {} are allowed", field,
                               shown(text), text.size(), id_max));
    }
    if (!is_alnum(text.front()) || !std::ranges::all_of(text, is_id_char)) {
        return fail(
            Errc::invalid, fmt::format(
                               "{} '{}' must start with a letter or digit and hold only letters, "
                               "digits, '_' and '-'",
                               field, shown(text)));
    }
    if (text == all_word) {
        return fail(
            Errc::invalid, fmt::format("{} must not be '{}': it means every one", field, all_word));
    }
    return {};
}

} // namespace hive
