#include "scenario/codes.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

using namespace hive::scenario;

TEST_CASE("every code is in the guide, with what it means, in the order of the alphabet") {
    std::ifstream file{hive::tests::in_source("docs/guides/scenario-findings.md")};
    std::stringstream guide;
    guide << file.rdbuf();
    for (const CodeInfo& each : all_codes()) {
        CHECK_MESSAGE(
            guide.str().find(fmt::format("| `{}` | {} |", each.code, each.means)) !=
                std::string::npos,
            each.code);
        CHECK_MESSAGE(!each.fix.empty(), each.code);
    }
    std::vector<std::string_view> codes;
    for (const CodeInfo& each : all_codes()) codes.push_back(each.code);
    CHECK(std::ranges::is_sorted(codes));
    CHECK(std::ranges::adjacent_find(codes) == codes.end());
    CHECK_FALSE(is_known_code("nothing"));
}
