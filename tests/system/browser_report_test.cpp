#include "report/html.hpp"
#include "tests/support/places.hpp"
#include "tests/support/sample_run.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/program_lines.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

using namespace hive;
using namespace hive::test;

TEST_CASE("a browser without a network opens a report from disk and finds the charts in it") {
    const tests::ScratchDirectory scratch;
    const std::string path = (scratch.path() / "report.html").string();
    report::Run run = tests::SampleRun{}.make();
    run.summary.scenario = "<script>console.log('in')</script>";
    std::ofstream{path} << report::html(run);
    ProgramLines browser{fmt::format(
        "NODE_PATH='{}' exec timeout 60 node '{}/tests/system/browser_report.cjs' '{}' "
        "/usr/bin/chromium 2>&1",
        hive::tests::in_build("npm-system/node_modules"), hive::tests::in_source(""), path)};
    CHECK(browser.next() == "<script>console.log('in')</script>: failed");
    CHECK(browser.next() == "failed");
    CHECK(browser.next() == "charts 7");
    CHECK(browser.next() == "tip true");
    CHECK(browser.next() == "1280 fits true");
    CHECK(browser.next() == "390 fits true");
    CHECK(browser.next().empty());
}
