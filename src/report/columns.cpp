#include "report/columns.hpp"

#include <algorithm>
#include <array>

namespace hive::report {
namespace {

struct Letter {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
};

// Valid UTF-8 is what printable() makes; a stray byte counts as a letter of its own.
Letter letter_at(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (bytes == 1 || text.size() < bytes) return {lead, 1};
    std::uint32_t code = lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i)
        code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    return {code, bytes};
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};
constexpr std::array combining{Range{0x300, 0x36f},   Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff},
                               Range{0x200b, 0x200d}, Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f},
                               Range{0xfe20, 0xfe2f}};
constexpr std::array wide{
    Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0x33ff},
    Range{0x3400, 0x4dbf},   Range{0x4e00, 0x9fff},   Range{0xa000, 0xa4cf},
    Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},   Range{0x1f300, 0x1f64f},
    Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};

template <std::size_t N>
bool within(std::uint32_t code, const std::array<Range, N>& ranges) noexcept {
    return std::ranges::any_of(
        ranges, [=](const Range& range) { return code >= range.first && code <= range.last; });
}

std::size_t columns_of(std::uint32_t code) noexcept {
    if (code < 0x300) return 1;
    if (within(code, combining)) return 0;
    return within(code, wide) ? 2 : 1;
}

std::string_view code_of(Ink ink) noexcept {
    switch (ink) {
    case Ink::plain: return "";
    case Ink::bold: return "\x1b[1m";
    case Ink::dim: return "\x1b[2m";
    case Ink::good: return "\x1b[32m";
    case Ink::warning: return "\x1b[33m";
    case Ink::bad: return "\x1b[1;31m";
    case Ink::accent: return "\x1b[36m";
    }
    return "";
}

} // namespace

std::size_t columns_of(std::string_view text) noexcept {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        columns += columns_of(letter.code);
        text.remove_prefix(letter.bytes);
    }
    return columns;
}

std::string clipped(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string{text};
    if (columns == 0) return {};
    std::string out;
    std::size_t used = 1; // the ellipsis
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        used += columns_of(letter.code);
        if (used > columns) break;
        out += text.substr(0, letter.bytes);
        text.remove_prefix(letter.bytes);
    }
    return out + "…";
}

Line& Line::add(std::string_view text, Ink ink) {
    const std::string fits = clipped(text, room());
    if (fits.empty()) return *this;
    columns_ += report::columns_of(fits);
    const std::string_view code = colors_ ? code_of(ink) : "";
    text_ += code;
    text_ += fits;
    if (!code.empty()) text_ += "\x1b[0m";
    return *this;
}

Line& Line::left(std::string_view text, std::size_t columns, Ink ink) {
    const std::size_t end = columns_ + columns;
    return add(clipped(text, columns), ink).to(end);
}

Line& Line::right(std::string_view text, std::size_t columns, Ink ink) {
    const std::string fits = clipped(text, columns);
    return to(columns_ + columns - report::columns_of(fits)).add(fits, ink);
}

Line& Line::to(std::size_t column) {
    const std::size_t end = std::min(column, width_);
    if (end > columns_) {
        text_.append(end - columns_, ' ');
        columns_ = end;
    }
    return *this;
}

} // namespace hive::report
