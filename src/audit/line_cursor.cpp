#include "audit/line_cursor.hpp"

#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace hive::audit {
namespace {

// The character that the escape at the front stands for; `size` is how long the escape is.
std::optional<char> unescape(std::string_view text, std::size_t& size) {
    if (text.size() < 2) return std::nullopt;
    size = 2;
    switch (text[1]) {
    case '"':
    case '\\': return text[1];
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return std::nullopt;
    }
    size = 6;
    std::array<std::uint8_t, 1> code{};
    if (!text.starts_with("\\u00") || !read_hex(text.substr(4, 2), code)) return std::nullopt;
    const char c = static_cast<char>(code[0]);
    const bool has_short_form = c == '\n' || c == '\r' || c == '\t';
    if (code[0] >= 0x20 || has_short_form) return std::nullopt;
    return c;
}

bool has_control(std::string_view text) {
    bool found = false; // no early exit: this loop is to become vector code
    for (const char c : text) found |= static_cast<unsigned char>(c) < 0x20;
    return found;
}

// Of the many spellings of RFC 3339 ours has `T`, `Z` and no superfluous digits.
bool is_our_time(std::string_view text) {
    if (text.size() < 20 || text[10] != 'T' || text.back() != 'Z') return false;
    if (text.substr(17, 2) == "60") return false;
    if (text.size() == 20) return true;
    const bool whole_groups = text.size() == 24 || text.size() == 27 || text.size() == 30;
    return whole_groups && text.substr(text.size() - 4, 3) != "000";
}

} // namespace

bool LineCursor::number(std::uint64_t& value) noexcept {
    const char* end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, value);
    const auto size = static_cast<std::size_t>(stop - rest_.data());
    if (error != std::errc{} || (rest_.front() == '0' && size > 1)) return false;
    rest_.remove_prefix(size);
    return true;
}

bool LineCursor::hex(std::span<std::uint8_t> bytes) noexcept {
    const std::size_t digits = bytes.size() * 2;
    if (rest_.size() < digits || !read_hex(rest_.substr(0, digits), bytes)) return false;
    rest_.remove_prefix(digits);
    return true;
}

bool LineCursor::string(std::string_view& text, std::string& scratch) {
    if (!rest_.starts_with('"')) return false;
    std::string_view body = rest_.substr(1);
    std::size_t end = body.find('"');
    if (end == body.npos) return false;
    if (std::size_t escape = body.substr(0, end).find('\\'); escape == body.npos) {
        text = body.substr(0, end);
    } else {
        scratch.clear();
        for (;;) {
            const std::size_t stop = body.find_first_of("\"\\");
            if (stop == body.npos) return false;
            scratch += body.substr(0, stop);
            body.remove_prefix(stop);
            if (body.front() == '"') break;
            const auto c = unescape(body, escape);
            if (!c) return false;
            scratch += *c;
            body.remove_prefix(escape);
        }
        text = scratch;
        end = static_cast<std::size_t>(body.data() - rest_.data()) - 1;
    }
    if (has_control(rest_.substr(1, end))) return false;
    rest_.remove_prefix(end + 2);
    return true;
}

bool LineCursor::time(Timestamp& time) {
    constexpr std::size_t quoted_max = 32;
    if (!rest_.starts_with('"')) return false;
    const std::size_t end = rest_.substr(0, quoted_max).find('"', 1);
    if (end == rest_.npos || !is_our_time(rest_.substr(1, end - 1))) return false;
    const auto parsed = parse_timestamp(rest_.substr(1, end - 1));
    if (!parsed) return false;
    time = *parsed;
    rest_.remove_prefix(end + 1);
    return true;
}

} // namespace hive::audit
