#include "api/ws/utf8.hpp"

namespace hive::ws {
namespace {

// What must come next. The first continuation byte of some characters has a narrower range.
enum State : std::uint8_t {
    start,
    one,      // one more continuation byte
    two,      // two more
    three,    // three more
    after_e0, // A0..BF, else the form is overlong
    after_ed, // 80..9F, else a surrogate
    after_f0, // 90..BF, else overlong
    after_f4, // 80..8F, else above U+10FFFF
    broken,
};

State first_byte(unsigned char c) noexcept {
    if (c < 0x80) return start;
    if (c < 0xc2) return broken;
    if (c < 0xe0) return one;
    if (c == 0xe0) return after_e0;
    if (c == 0xed) return after_ed;
    if (c < 0xf0) return two;
    if (c == 0xf0) return after_f0;
    if (c < 0xf4) return three;
    if (c == 0xf4) return after_f4;
    return broken;
}

State next(State state, unsigned char c) noexcept {
    const auto within = [c](unsigned low, unsigned high, State then) {
        return c >= low && c <= high ? then : broken;
    };
    switch (state) {
    case start: return first_byte(c);
    case one: return within(0x80, 0xbf, start);
    case two: return within(0x80, 0xbf, one);
    case three: return within(0x80, 0xbf, two);
    case after_e0: return within(0xa0, 0xbf, one);
    case after_ed: return within(0x80, 0x9f, one);
    case after_f0: return within(0x90, 0xbf, two);
    case after_f4: return within(0x80, 0x8f, two);
    case broken: return broken;
    }
    return broken;
}

} // namespace

bool Utf8Check::accept(std::string_view piece) noexcept {
    auto state = static_cast<State>(state_);
    for (const char c : piece) {
        state = next(state, static_cast<unsigned char>(c));
        if (state == broken) break;
    }
    state_ = state;
    return state != broken;
}

bool is_utf8(std::string_view text) noexcept {
    Utf8Check check;
    return check.accept(text) && check.at_boundary();
}

} // namespace hive::ws
