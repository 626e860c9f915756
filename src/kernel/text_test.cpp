#include "kernel/text.hpp"

#include <doctest/doctest.h>

using namespace hive;

TEST_CASE("the first broken byte of UTF-8 is found") {
    CHECK_FALSE(find_invalid_utf8("").has_value());
    CHECK_FALSE(find_invalid_utf8("plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x90\x9d").has_value());
    CHECK(find_invalid_utf8("ab\xff") == 2);
    CHECK(find_invalid_utf8("a\xc3") == 1);            // cut short
    CHECK(find_invalid_utf8("\xc0\xaf") == 0);         // overlong
    CHECK(find_invalid_utf8("\xed\xa0\x80") == 0);     // surrogate
    CHECK(find_invalid_utf8("\xf4\x90\x80\x80") == 0); // beyond U+10FFFF
    CHECK(find_invalid_utf8("ok \x80 stray") == 3);
}

TEST_CASE("text from outside cannot break a line, move the cursor or change direction") {
    CHECK(printable("plain \xc3\xa9") == "plain \xc3\xa9");
    CHECK(printable("a\nb\tc\r\x1b[31m") == "a\\nb\\tc\\r\\x1b[31m");
    CHECK(printable("\xff") == "\\xff");
    CHECK(printable("\xc2\x9b") == "\\x9b");
    CHECK(printable("\xe2\x80\xae") == "\\u202e");
    CHECK(printable(std::string(500, 'x'), 10) == "xxxxxxxxxx...");
    CHECK(printable("exactly10!", 10) == "exactly10!");
}

TEST_CASE("a slip of the fingers finds the word that was meant") {
    const std::string_view known[] = {"http.port", "http.listen", "broker.url", "doctor"};
    CHECK(nearest("http.prot", known) == "http.port");
    CHECK(nearest("HTTP_PORT", known) == "http.port");
    CHECK(nearest("broker-ulr", known) == "broker.url");
    CHECK(nearest("dcotor", known) == "doctor");
    CHECK(nearest("doc", known) == std::nullopt);
    CHECK(nearest("banana", known) == std::nullopt);
    CHECK(nearest("", known) == std::nullopt);
    CHECK(nearest(std::string(10'000, 'd'), known) == std::nullopt);
    const std::string_view letters[] = {"a", "b"};
    CHECK(nearest("x", letters) == std::nullopt);
}

TEST_CASE("wrapping keeps words whole and counts code points, not bytes") {
    CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("unbreakable", 4) == std::vector<std::string>{"unbreakable"});
    CHECK(wrap("", 10) == std::vector<std::string>{""});
    CHECK(
        wrap("\xc3\xa9\xc3\xa9 \xc3\xa9", 4) ==
        std::vector<std::string>{"\xc3\xa9\xc3\xa9 \xc3\xa9"});
}
