// Every broken scenario of broken.txt says what is wrong with it, by code and at the right line.
#include "cli/scenario_catalog.hpp"
#include "scenario/codes.hpp"
#include "scenario/validate.hpp"
#include "tests/scenario/broken.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace hive;
using namespace hive::scenario;

namespace {

std::vector<Finding> findings_of(const std::string& text) {
    static const Catalog catalog = cli::scenario_catalog();
    const Loaded loaded = load(single_file("base.yaml", text));
    std::vector<Finding> all = loaded.findings;
    const auto more = validate(loaded, catalog);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

TEST_CASE("there is nothing wrong with the scenario that the broken ones are made of") {
    const auto findings = findings_of(scenario_source("base.yaml"));
    CHECK_MESSAGE(findings.empty(), render(findings));
}

TEST_CASE("each broken scenario has its finding, by code, at its line, and with what to do") {
    std::size_t count = 0;
    for (const Broken& one : broken_scenarios()) {
        ++count;
        const auto findings = findings_of(one.text);
        const bool found = std::ranges::any_of(findings, [&](const Finding& finding) {
            return finding.code == one.code && (one.line == 0 || finding.at.line == one.line);
        });
        CHECK_MESSAGE(
            found, one.rule << "\nexpected at line " << one.line << ", got\n"
                            << render(findings));
        for (const Finding& finding : findings) {
            CHECK_MESSAGE(is_known_code(finding.code), finding.code);
            CHECK_MESSAGE(finding.at.line > 0, one.rule << "\n" << render({&finding, 1}));
            CHECK_MESSAGE(finding.at.column > 0, one.rule << "\n" << render({&finding, 1}));
            CHECK_MESSAGE(!finding.hint.empty(), one.rule << "\n" << render({&finding, 1}));
        }
    }
    CHECK(count >= 100);
}
