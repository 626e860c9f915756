#include "api/http/request.hpp"

#include <algorithm>
#include <array>

namespace hive::http {
namespace {

constexpr std::array<std::string_view, method_count> names{"GET",   "HEAD",   "POST",    "PUT",
                                                           "PATCH", "DELETE", "OPTIONS", "OTHER"};

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

} // namespace

std::string_view name_of(Method method) noexcept {
    return names[static_cast<std::size_t>(method)];
}

Method method_of(std::string_view text) noexcept {
    // Methods are case-sensitive (RFC 9110 §9.1); OTHER is our word, not a method.
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        if (names[i] == text) return static_cast<Method>(i);
    }
    return Method::other;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return lower(x) == lower(y);
           });
}

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::string_view> Request::header(std::string_view name) const noexcept {
    for (const Header& header : headers) {
        if (equal_ignoring_case(header.name, name)) return header.value;
    }
    return std::nullopt;
}

std::size_t Request::count(std::string_view name) const noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        headers, [&](const Header& header) { return equal_ignoring_case(header.name, name); }));
}

bool Request::lists(std::string_view name, std::string_view word) const noexcept {
    for (const Header& header : headers) {
        if (!equal_ignoring_case(header.name, name)) continue;
        std::string_view rest = header.value;
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (equal_ignoring_case(trimmed(rest.substr(0, comma)), word)) return true;
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return false;
}

void Request::clear() {
    method = Method::other;
    version = 11;
    keep_alive = true;
    chunked = false;
    method_text = target = path = query = {};
    content_length.reset();
    headers.clear();
    head.clear();
    body.clear();
    // One large upload must not cost its memory for the rest of a long connection.
    constexpr std::size_t kept_bytes = 4096;
    if (body.capacity() > kept_bytes) body.shrink_to_fit();
}

} // namespace hive::http
