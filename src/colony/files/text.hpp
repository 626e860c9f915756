#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// What a file says as text: no byte order mark, broken UTF-8 as U+FFFD, no NUL, lines end in \n.
std::string repaired(std::string_view bytes);

// As names and header values are compared: every hyphen and dash is '-', no-break spaces are
// spaces, letters with a combining accent are one letter (Latin ones), no space around it.
std::string folded(std::string_view text);

std::string_view trimmed(std::string_view text);
std::string lowered(std::string_view text); // ASCII letters
std::string raised(std::string_view text);
bool same_but_case(std::string_view a, std::string_view b);

std::vector<std::string_view> lines_of(std::string_view text);
std::vector<std::string_view> split(std::string_view text, std::string_view any_of);

// At most `max` bytes, cut between characters.
std::string_view clipped(std::string_view text, std::size_t max);

// Lower case words with hyphens, for file names: at most `max` bytes, perhaps empty.
std::string slug(std::string_view text, std::size_t max);

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word(char c) {
    return is_digit(c) || is_letter(c);
}
bool all_digits(std::string_view text);
std::optional<int> number(std::string_view digits); // of at most 6 digits

} // namespace hive::colony::files
