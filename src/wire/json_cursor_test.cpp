#include "wire/json_cursor.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive::wire;

namespace {

// The compact text of a whole document, or why it is none.
std::string compact(std::string_view text) {
    JsonCursor in{text};
    std::string out;
    if (in.take_value(out) && in.at_end()) return out;
    return "! " + std::string{in.why()};
}

std::string unescaped(std::string_view text) {
    JsonCursor in{text};
    std::string out;
    if (in.take_string(out)) return out;
    return "! " + std::string{in.why()};
}

} // namespace

TEST_CASE("any value is copied without white space and otherwise as it was written") {
    CHECK(
        compact(" { \"a\" : [ 1 , -2.50e+3 , null ] ,\n\t\"b\":{ } } ") ==
        R"({"a":[1,-2.50e+3,null],"b":{}})");
    CHECK(compact("123456789012345678901234567890") == "123456789012345678901234567890");
    CHECK(compact(R"("\u00e9 \/")") == R"("\u00e9 \/")");
    CHECK(compact("[true,false,[]]") == "[true,false,[]]");
}

TEST_CASE("broken JSON is refused with the reason") {
    CHECK(compact("") == "! expected a value");
    CHECK(compact("nul") == "! expected a value");
    CHECK(compact("[1,]") == "! expected a value");
    CHECK(compact("[1 2]") == "! expected ',' or a closing bracket");
    CHECK(compact("{1:2}") == "! expected a key in quotes");
    CHECK(compact(R"({"a" 2})") == "! expected ':'");
    CHECK(compact("01") == "! a number must not start with 0");
    CHECK(compact("1.") == "! a number must not end with '.'");
    CHECK(compact("1e+") == "! a number's exponent has no digits");
    CHECK(compact("\"a") == "! a string does not end");
    CHECK(compact("\"\n\"") == "! a control character inside a string must be escaped");
    CHECK(compact(R"("\x")") == "! unknown escape in a string");
    CHECK(compact(R"("\u12g4")") == "! \\u needs four hex digits");
    CHECK(compact(R"("\ud83d")") == "! half of a surrogate pair in a string");
    CHECK(compact(R"("\ud83d\u0041")") == "! half of a surrogate pair in a string");
    CHECK(compact(R"("\udc1d")") == "! half of a surrogate pair in a string");
    CHECK(compact(std::string(33, '[')) == "! nested too deeply");
}

TEST_CASE("escapes in a string become what they stand for") {
    CHECK(unescaped(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
    CHECK(unescaped(R"("\u0041\u00e9\u8702\ud83d\udc1d")") == "Aé蜂🐝");
    CHECK(unescaped(R"("\u0000")") == std::string(1, '\0'));
}

TEST_CASE("the place of a quote does not matter to the search for it") {
    for (std::size_t size = 0; size < 70; ++size) {
        const std::string text(size, 'x');
        CHECK(unescaped('"' + text + "\" and more text after it, enough for a wide read") == text);
        CHECK(unescaped('"' + text + "\\n\"") == text + '\n');
        CHECK(unescaped('"' + text) == "! a string does not end");
        CHECK(plain_prefix(text + '\x1f' + text) == size);
        CHECK(plain_prefix(text + "\x7f\xff") == size + 2);
    }
}

TEST_CASE("an index is a whole number without signs, zeros in front or exponent") {
    for (const char* text : {"", "-1", "01", "1.0", "1e2", "1234567", "\"1\""}) {
        CAPTURE(text);
        std::size_t index = 0;
        CHECK(!JsonCursor{text}.take_index(index));
    }
    std::size_t index = 0;
    CHECK(JsonCursor{" 255,"}.take_index(index));
    CHECK(index == 255);
}
