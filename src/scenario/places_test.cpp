#include "scenario/places.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::scenario;

namespace {

constexpr std::string_view text = "a:\n"
                                  "  b.c: [x, { d: 1 }]\n"
                                  "  worker: { e: 2 }\n"
                                  "f: |\n"
                                  "  one\n"
                                  "  two\n"
                                  "g: 'three'\n"
                                  "h: >\n"
                                  "  folded\n"
                                  "  text\n";

} // namespace

TEST_CASE("a path leads to its node, also through names with dots and through lists") {
    const auto document = parse_yaml("f", text);
    REQUIRE(node_at(document.root, "a.b.c[1].d") != nullptr);
    CHECK(node_at(document.root, "a.b.c[1].d")->text == "1");
    CHECK(node_at(document.root, "a.b.c[0]")->text == "x");
    CHECK(node_at(document.root, "a.b.c[2]") == nullptr);
    CHECK(node_at(document.root, "a.b.x") == nullptr);
    CHECK(node_at(document.root, "[0]") == nullptr);
}

TEST_CASE("of what is not written, what is around it is pointed at") {
    const auto document = parse_yaml("f", text);
    const YamlNode& config = *document.root.find("a");
    CHECK(place_in_config(config, "e").line == 3); // below worker
    CHECK(place_in_config(config, "b.c[1].x").line == 2);
    CHECK(place_in_config(config, "nothing") == Position{1, 1});
}

TEST_CASE("a place in a text is one in the file, exact in blocks and single lines") {
    const auto document = parse_yaml("f", text);
    const auto in = [&](std::string_view name, Position within) {
        return place_in_text(*document.root.find(name), within, text);
    };
    CHECK(in("f", {2, 2}).at == Position{6, 4});
    CHECK(in("g", {1, 3}).at == Position{7, 7});
    CHECK_FALSE(in("h", {1, 3}).exact);
    CHECK(in("h", {1, 3}).at.line == 8);
}
