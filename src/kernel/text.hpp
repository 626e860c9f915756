#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

// Where the first byte that is not valid UTF-8 stands; empty when all is well.
std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

// Columns a terminal needs, counting each code point as one.
std::size_t width_of(std::string_view text) noexcept;

// Text from outside made safe to show on one line: control characters, line separators, direction
// overrides and broken UTF-8 appear as escapes, and after `max` bytes it ends in "...".
std::string printable(std::string_view text, std::size_t max = 80);
void append_printable(std::string& out, std::string_view text, std::size_t max);

// The known word that `word` most likely meant: at most a third of it is wrong. Case and the choice
// between '-', '_' and '.' cost nothing. Words longer than 64 bytes are never matched.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> known);

// Breaks at spaces so that no line is wider than `width`, unless a single word is.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

} // namespace hive
