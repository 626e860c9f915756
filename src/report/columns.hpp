#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::report {

// Columns of a terminal: wide characters take two, combining ones none.
std::size_t columns_of(std::string_view text) noexcept;

// At most that many columns; what does not fit ends in "…".
std::string clipped(std::string_view text, std::size_t columns);

enum class Ink : std::uint8_t { plain, bold, dim, good, warning, bad, accent };

// One line that cannot get wider than it may, however much is added to it.
class Line {
public:
    explicit Line(std::size_t width, bool colors) : width_{width}, colors_{colors} {}

    // Text from outside must be made printable before.
    Line& add(std::string_view text, Ink ink = Ink::plain);
    Line& left(std::string_view text, std::size_t columns, Ink ink = Ink::plain);
    Line& right(std::string_view text, std::size_t columns, Ink ink = Ink::plain);
    Line& to(std::size_t column); // spaces up to there

    std::size_t columns() const noexcept { return columns_; }
    std::size_t room() const noexcept { return width_ - columns_; }
    const std::string& text() const noexcept { return text_; }

private:
    std::size_t width_;
    bool colors_;
    std::size_t columns_ = 0;
    std::string text_{};
};

} // namespace hive::report
