#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hive::audit {

// Reads one line of JSON whose members come in a fixed order and in the one spelling that our
// writer uses: no blanks, lower-case hex, only the escapes that are needed. Each function moves on
// and returns true, or stays and returns false.
class LineCursor {
public:
    explicit LineCursor(std::string_view line) noexcept : rest_{line} {}

    bool literal(std::string_view text) noexcept {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    bool number(std::uint64_t& value) noexcept; // no leading zeros
    bool hex(std::span<std::uint8_t> bytes) noexcept;
    // With its quotes. `text` points into the line, or into `scratch` when there are escapes.
    bool string(std::string_view& text, std::string& scratch);
    bool time(Timestamp& time); // quoted RFC 3339, as format_timestamp writes it

    std::string_view rest() const noexcept { return rest_; }

private:
    bool take_digits(std::span<std::uint8_t> bytes) noexcept;

    std::string_view rest_;
};

} // namespace hive::audit
