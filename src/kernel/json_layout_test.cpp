#include "kernel/json_layout.hpp"

#include <doctest/doctest.h>

using namespace hive;

TEST_CASE("what is short and flat is one line, all else a line for each member") {
    CHECK(laid_out(json::array{1, "a", nullptr}) == "[1,\"a\",null]\n");
    CHECK(laid_out(json::object{}) == "{}\n");
    CHECK(
        laid_out(json::object{{"a", {1, 2}}, {"b", json::object{{"c\"", true}}}}) ==
        "{\n  \"a\": [1,2],\n  \"b\": {\"c\\\"\":true}\n}\n");
    CHECK(laid_out(parse_json("[[{\"x\":1}]]").value()) == "[\n  [\n    {\"x\":1}\n  ]\n]\n");
}

TEST_CASE("a long line is broken, and what is laid out reads back the same") {
    json::array words;
    for (int i = 0; i < 40; ++i) words.emplace_back("word");
    const json::value value{{"words", words}};
    const std::string text = laid_out(value);
    CHECK(text.find("\n    \"word\",\n") != text.npos);
    CHECK(parse_json(text).value() == value);
}
