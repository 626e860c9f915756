#pragma once

#include "wire/plain_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace hive::wire {

// Reads one JSON document from front to back, in one pass and without a tree: the caller knows what
// it expects and asks for it. Strict RFC 8259. On the path of every work item, where building a
// tree first, even simdjson's, costs more than the item itself (bench/wire.cpp).
//
// Each reader skips white space first. One that returns false has either found something else, and
// then why() is empty, or broken JSON, and then reading must stop.
class JsonCursor {
public:
    explicit JsonCursor(std::string_view utf8) // valid UTF-8, checked by the caller
        : start_{utf8.data()}, at_{utf8.data()}, end_{utf8.data() + utf8.size()} {}

    bool take(char punctuation);
    // Exactly these bytes and no white space before them: a guess that costs one comparison.
    bool take_exactly(std::string_view bytes);
    bool take_null();
    // The view lies in the text, or, when the string had escapes, in here until the next call.
    bool take_string(std::string_view& out);
    bool take_string(std::string& out);
    bool take_index(std::size_t& out); // a whole number of at most six digits
    // Any value, appended without white space and otherwise as it was written.
    bool take_value(std::string& out);
    bool at_end();

    // `,` or the closing bracket: true when another element follows.
    bool more(bool& first, char close);

    std::string_view why() const noexcept { return why_; }
    std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - start_); }
    bool fail(std::string_view why); // always false

private:
    static constexpr std::size_t depth_max = 32;

    void skip_space();
    bool unescape(const char* from, std::string& out);
    bool take_unicode(std::string& out);
    bool take_hex4(unsigned& out);
    bool copy_value(std::string& out, std::size_t depth);
    bool copy_members(std::string& out, std::size_t depth, char close);
    bool copy_string(std::string& out);
    bool copy_number(std::string& out);
    bool copy_literal(std::string& out);
    std::size_t digits();

    char here() const { return at_ < end_ ? *at_ : '\0'; }
    std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
    std::string_view since(const char* from) const {
        return {from, static_cast<std::size_t>(at_ - from)};
    }

    const char* start_;
    const char* at_;
    const char* end_;
    std::string scratch_;
    std::string_view why_;
};

inline void JsonCursor::skip_space() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

inline bool JsonCursor::take_exactly(std::string_view bytes) {
    if (!begins_with(rest(), bytes)) return false;
    at_ += bytes.size();
    return true;
}

inline bool JsonCursor::take(char punctuation) {
    skip_space();
    if (here() != punctuation) return false;
    ++at_;
    return true;
}

inline bool JsonCursor::more(bool& first, char close) {
    if (take(close)) return false;
    if (first) {
        first = false;
        return true;
    }
    return take(',') || fail("expected ',' or a closing bracket");
}

inline bool JsonCursor::take_string(std::string_view& out) {
    if (!take('"')) return false;
    const char* from = at_;
    at_ += plain_prefix(rest());
    if (here() != '"') {
        if (!unescape(from, scratch_)) return false;
        out = scratch_;
        return true;
    }
    out = since(from);
    ++at_;
    return true;
}

inline bool JsonCursor::take_string(std::string& out) {
    if (!take('"')) return false;
    const char* from = at_;
    at_ += plain_prefix(rest());
    if (here() != '"') return unescape(from, out);
    out.assign(from, at_);
    ++at_;
    return true;
}

} // namespace hive::wire
