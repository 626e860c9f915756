#pragma once

#include <cstdint>
#include <string_view>

namespace hive::ws {

// Checks UTF-8 as it arrives: a character may be cut anywhere between two pieces. Refuses overlong
// forms, surrogates and anything above U+10FFFF at the first byte that makes it wrong.
class Utf8Check {
public:
    bool accept(std::string_view piece) noexcept; // false: no continuation can mend it
    bool at_boundary() const noexcept { return state_ == 0; }
    void restart() noexcept { state_ = 0; }

private:
    std::uint8_t state_ = 0;
};

bool is_utf8(std::string_view text) noexcept;

} // namespace hive::ws
