#include "api/ws/utf8.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive::ws;

TEST_CASE("every character of every length passes, cut anywhere") {
    const std::string text = "a\u00e4\u20ac\U0001f41d\u07ff\u0800\uffff\U00010000\U0010ffff";
    CHECK(is_utf8(text));
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        Utf8Check check;
        CHECK(check.accept(text.substr(0, cut)));
        CHECK(check.accept(text.substr(cut)));
        CHECK(check.at_boundary());
    }
}

TEST_CASE("what is not UTF-8 is refused at its first wrong byte") {
    for (const std::string bad :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3(",
          "\xe2\x82("}) {
        CAPTURE(bad);
        CHECK_FALSE(is_utf8(bad));
    }
    CHECK_FALSE(is_utf8("\xe2\x82")); // ends inside a character
    Utf8Check check;
    CHECK_FALSE(check.accept("\xf4\x90"));
}
