#include "template/function.hpp"
#include "tests/support/places.hpp"
#include "tests/support/rendering.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

using namespace hive;
using namespace hive::templates;

namespace {

struct Example {
    std::string source;
    std::string expected;
};

// A cell like " `{{ 'a' \| upper }}` "; nothing when it is not code.
std::optional<std::string> code_of(std::string_view cell) {
    if (!cell.starts_with(" `") || !cell.ends_with("` ")) return std::nullopt;
    std::string code;
    for (std::size_t i = 2; i + 2 < cell.size(); ++i) {
        if (cell[i] == '\\' && cell[i + 1] == '|') ++i; // how a table writes a bar
        code += cell[i];
    }
    return code;
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    std::size_t from = 1;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] != '|' || line[i - 1] == '\\') continue;
        cells.push_back(line.substr(from, i - from));
        from = i + 1;
    }
    return cells;
}

std::vector<Example> examples() {
    std::ifstream in{hive::tests::in_source("docs/guides/templates.md")};
    std::vector<Example> found;
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("| `")) continue;
        const auto cells = cells_of(line);
        REQUIRE(cells.size() == 2);
        const auto source = code_of(cells[0]);
        const auto expected = code_of(cells[1]);
        if (source && expected) found.push_back({*source, *expected});
    }
    return found;
}

} // namespace

TEST_CASE("every example of the guide gives what the guide says") {
    const auto all = examples();
    CHECK(all.size() > 60);
    for (const Example& example : all) {
        Rendering render;
        CAPTURE(example.source);
        CHECK(render(example.source) == example.expected);
    }
}

TEST_CASE("the guide knows every function, filter and test") {
    std::ifstream in{hive::tests::in_source("docs/guides/templates.md")};
    const std::string guide{std::istreambuf_iterator<char>{in}, {}};
    for (const Function& function : all_functions()) {
        CAPTURE(function.name);
        CHECK(guide.find(function.name) != guide.npos);
    }
}
