#include "kernel/yaml_json.hpp"

#include <doctest/doctest.h>

using namespace hive;

TEST_CASE("plain words of YAML become numbers and truths, quoted ones stay text") {
    const auto document = parse_yaml(
        "f", "{a: 1, b: 2.5, c: true, d: null, e: 'true', f: \"7\", g: word, h: [x, 1], i: -3}");
    CHECK(
        to_text(to_json(document.root)) ==
        R"({"a":1,"b":2.5,"c":true,"d":null,"e":"true","f":"7","g":"word","h":["x",1],"i":-3})");
}
