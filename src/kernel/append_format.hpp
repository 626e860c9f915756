#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

namespace hive {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args values);

// Appends what fmt::format would return. With fmt::format_to each file that appends would compile
// all ways of formatting once more, some seconds of it.
template <class... T>
void append_format(std::string& out, fmt::format_string<T...> format, T&&... values) {
    append_formatted(out, format, fmt::make_format_args(values...));
}

} // namespace hive
