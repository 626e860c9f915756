#pragma once

#include <algorithm>
#include <string_view>

namespace hive {

// A word as HTTP knows it, RFC 9110, 5.6.2: a method, the name of a header.
constexpr bool is_http_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != marks.npos;
    });
}

} // namespace hive
