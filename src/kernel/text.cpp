#include "kernel/text.hpp"

#include "kernel/append_format.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hive {
namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t size = 1;
    bool valid = false;
};

constexpr unsigned byte_at(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

// Reads the code point at the front; overlong forms, surrogates and stray bytes are invalid.
CodePoint decode(std::string_view text) noexcept {
    const unsigned lead = byte_at(text, 0);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
    std::uint32_t value = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        const unsigned next = byte_at(text, i);
        if ((next & 0xc0U) != 0x80) return {};
        value = (value << 6U) | (next & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (value < smallest[size] || value > 0x10ffff) return {};
    if (value >= 0xd800 && value <= 0xdfff) return {};
    return {value, size, true};
}

// Would move the cursor, start a line, or show text in another order than it is stored.
constexpr bool is_unsafe(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x200e && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void append_escape(std::string& out, std::uint32_t c) {
    switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    if (c < 0x100) {
        append_format(out, "\\x{:02x}", c);
    } else {
        append_format(out, "\\u{:04x}", c);
    }
}

constexpr std::size_t nearest_max = 64;

constexpr char folded(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '_' || c == '.' ? '-' : c;
}

// Insertions, deletions, replacements and swaps of neighbours, each costing one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    using Row = std::array<std::size_t, nearest_max + 1>;
    Row before{};
    Row above{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                                 folded(a[i - 2]) == folded(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = above;
        above = row;
    }
    return above[b.size()];
}

} // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint point = decode(text.substr(i));
        if (!point.valid) return i;
        i += point.size;
    }
    return std::nullopt;
}

std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

void append_printable(std::string& out, std::string_view text, std::size_t max) {
    const std::size_t end = out.size() + max;
    for (std::size_t i = 0; i < text.size();) {
        if (out.size() >= end) {
            out += "...";
            return;
        }
        const CodePoint point = decode(text.substr(i));
        if (!point.valid) {
            append_escape(out, byte_at(text, i));
        } else if (is_unsafe(point.value)) {
            append_escape(out, point.value);
        } else {
            out.append(text, i, point.size);
        }
        i += point.size;
    }
}

std::string printable(std::string_view text, std::size_t max) {
    std::string out;
    append_printable(out, text, max);
    return out;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > nearest_max) return std::nullopt;
    const std::size_t tolerated = word.size() < 3 ? 1 : std::max<std::size_t>(2, word.size() / 3);
    std::optional<std::string> best;
    std::size_t best_distance = tolerated + 1;
    for (const std::string_view candidate : known) {
        if (candidate.empty() || candidate.size() > nearest_max) continue;
        const std::size_t distance = edit_distance(word, candidate);
        // A word replaced from end to end is another word, not a slip.
        if (distance >= best_distance || distance >= std::max(word.size(), candidate.size())) {
            continue;
        }
        best = std::string{candidate};
        best_distance = distance;
    }
    return best;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == text.npos ? text.size() : space + 1);
        if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
            lines.push_back(std::move(line));
            line.clear();
        }
        if (!line.empty()) line += ' ';
        line += word;
    }
    if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
    return lines;
}

} // namespace hive
