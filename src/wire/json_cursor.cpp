#include "wire/json_cursor.hpp"

#include "wire/plain_text.hpp"

#include <array>
#include <utility>

namespace hive::wire {
namespace {

void append_utf8(std::string& out, unsigned code) {
    const auto tail = [&](unsigned shift) {
        out += static_cast<char>(0x80U | ((code >> shift) & 0x3fU));
    };
    if (code < 0x80U) {
        out += static_cast<char>(code);
    } else if (code < 0x800U) {
        out += static_cast<char>(0xc0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000U) {
        out += static_cast<char>(0xe0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

// What a letter after a backslash stands for; 0 for those that stand for nothing.
constexpr std::array<char, 256> simple_escapes = [] {
    std::array<char, 256> table{};
    table['"'] = '"';
    table['\\'] = '\\';
    table['/'] = '/';
    table['b'] = '\b';
    table['f'] = '\f';
    table['n'] = '\n';
    table['r'] = '\r';
    table['t'] = '\t';
    return table;
}();

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

bool JsonCursor::fail(std::string_view why) {
    if (why_.empty()) why_ = why;
    return false;
}

bool JsonCursor::at_end() {
    skip_space();
    return at_ == end_;
}

bool JsonCursor::take_null() {
    skip_space();
    if (!begins_with(rest(), "null")) return false;
    at_ += 4;
    return true;
}

bool JsonCursor::take_index(std::size_t& out) {
    constexpr std::size_t digits_max = 6;
    skip_space();
    const char* from = at_;
    const std::size_t count = digits();
    const char next = here();
    const bool whole = count > 0 && count <= digits_max && next != '.' && next != 'e' &&
                       next != 'E' && (count == 1 || *from != '0');
    if (!whole) {
        at_ = from;
        return false;
    }
    out = 0;
    for (const char c : since(from)) out = out * 10 + static_cast<std::size_t>(c - '0');
    return true;
}

bool JsonCursor::unescape(const char* from, std::string& out) {
    // Pieces between escapes are short: they are put together here, not one by one in `out`.
    std::array<char, 256> pieces; // NOLINT: written before it is read
    std::size_t filled = 0;
    const auto flush = [&] { out.append(pieces.data(), std::exchange(filled, 0)); };
    out.assign(from, at_);
    for (;;) {
        if (filled + plain_block > pieces.size()) flush();
        const std::size_t plain = copy_plain(rest(), pieces.data() + filled);
        at_ += plain;
        filled += plain;
        if (plain == plain_block) continue;
        if (at_ == end_) return fail("a string does not end");
        const char c = *at_;
        if (c == '"') break;
        if (c != '\\') return fail("a control character inside a string must be escaped");
        ++at_;
        if (const char simple = simple_escapes[static_cast<unsigned char>(here())]; simple != 0) {
            pieces[filled++] = simple; // in the room that the plain bytes left of their block
            ++at_;
        } else {
            if (here() != 'u') return fail("unknown escape in a string");
            ++at_;
            flush();
            if (!take_unicode(out)) return false;
        }
    }
    ++at_;
    flush();
    return true;
}

bool JsonCursor::take_unicode(std::string& out) {
    unsigned code = 0;
    if (!take_hex4(code)) return false;
    if (code >= 0xdc00U && code <= 0xdfffU) return fail("half of a surrogate pair in a string");
    if (code >= 0xd800U && code <= 0xdbffU) {
        unsigned low = 0;
        if (!rest().starts_with("\\u")) {
            return fail("half of a surrogate pair in a string");
        }
        at_ += 2;
        if (!take_hex4(low)) return false;
        if (low < 0xdc00U || low > 0xdfffU) return fail("half of a surrogate pair in a string");
        code = 0x10000U + ((code - 0xd800U) << 10U) + (low - 0xdc00U);
    }
    append_utf8(out, code);
    return true;
}

bool JsonCursor::take_hex4(unsigned& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const char c = here();
        unsigned digit = 0;
        if (is_digit(c)) {
            digit = static_cast<unsigned>(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = static_cast<unsigned>(c - 'a') + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = static_cast<unsigned>(c - 'A') + 10;
        } else {
            return fail("\\u needs four hex digits");
        }
        out = (out << 4U) | digit;
    }
    return true;
}

bool JsonCursor::take_value(std::string& out) {
    return copy_value(out, depth_max);
}

bool JsonCursor::copy_value(std::string& out, std::size_t depth) {
    skip_space();
    switch (here()) {
    case '{': return copy_members(out, depth, '}');
    case '[': return copy_members(out, depth, ']');
    case '"': return copy_string(out);
    case 't':
    case 'f':
    case 'n': return copy_literal(out);
    default: return copy_number(out);
    }
}

// Recursion is bounded by `depth`.
bool JsonCursor::copy_members(std::string& out, std::size_t depth, char close) {
    if (depth == 0) return fail("nested too deeply");
    out += *at_++;
    bool first = true;
    for (bool comma = false; more(first, close); comma = true) {
        if (comma) out += ',';
        if (close == '}') {
            if (!copy_string(out)) return fail("expected a key in quotes");
            if (!take(':')) return fail("expected ':'");
            out += ':';
        }
        if (!copy_value(out, depth - 1)) return false;
    }
    out += close;
    return why_.empty();
}

bool JsonCursor::copy_string(std::string& out) {
    skip_space();
    const char* from = at_;
    std::string_view unescaped;
    if (!take_string(unescaped)) return false;
    out += since(from);
    return true;
}

bool JsonCursor::copy_literal(std::string& out) {
    static constexpr std::array<std::string_view, 3> literals{"true", "false", "null"};
    for (const std::string_view literal : literals) {
        if (!rest().starts_with(literal)) continue;
        out += literal;
        at_ += literal.size();
        return true;
    }
    return fail("expected a value");
}

std::size_t JsonCursor::digits() {
    const char* from = at_;
    while (is_digit(here())) ++at_;
    return since(from).size();
}

bool JsonCursor::copy_number(std::string& out) {
    const char* from = at_;
    if (here() == '-') ++at_;
    const bool zero = here() == '0';
    const std::size_t whole = digits();
    if (whole == 0) return fail("expected a value");
    if (zero && whole > 1) return fail("a number must not start with 0");
    if (here() == '.') {
        ++at_;
        if (digits() == 0) return fail("a number must not end with '.'");
    }
    if (here() == 'e' || here() == 'E') {
        ++at_;
        if (here() == '+' || here() == '-') ++at_;
        if (digits() == 0) return fail("a number's exponent has no digits");
    }
    out += since(from);
    return true;
}

} // namespace hive::wire
