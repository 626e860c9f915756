#include "tests/scenario/broken.hpp"

#include "cli/read_file.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace hive::scenario {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

Broken broken(const std::string& base, const std::string& rule) {
    const auto colon = rule.find(" : ");
    const auto arrow = rule.find(" => ");
    REQUIRE_MESSAGE((colon != rule.npos && arrow != rule.npos), rule);
    std::string what = rule.substr(colon + 3, arrow - colon - 3);
    std::string with = rule.substr(arrow + 4);
    replace_all(what, "\\n", "\n");
    replace_all(with, "\\n", "\n");
    Broken out{.rule = rule, .code = rule.substr(0, colon), .text = base};
    const auto at = base.find(what);
    REQUIRE_MESSAGE(at != base.npos, rule);
    out.text.replace(at, what.size(), with);
    if (const auto mark = out.text.find('~'); mark != out.text.npos) {
        out.text.erase(mark, 1);
        out.line = 1 + static_cast<std::size_t>(std::count(
                           out.text.begin(), out.text.begin() + static_cast<long>(mark), '\n'));
    }
    return out;
}

} // namespace

std::string scenario_source(const std::string& name) {
    auto text =
        cli::read_file(hive::tests::in_source("tests/scenario/") + name, std::size_t{1} << 20U);
    REQUIRE(text);
    return *text;
}

std::vector<Broken> broken_scenarios() {
    const std::string base = scenario_source("base.yaml");
    std::istringstream rules{scenario_source("broken.txt")};
    std::vector<Broken> all;
    for (std::string rule; std::getline(rules, rule);) {
        if (!rule.empty() && !rule.starts_with('#')) all.push_back(broken(base, rule));
    }
    return all;
}

} // namespace hive::scenario
