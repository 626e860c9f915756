#include "report/junit.hpp"
#include "tests/support/sample_run.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

using namespace hive;
using namespace hive::report;
using hive::tests::SampleRun;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

// A parser of somebody else says whether it is XML.
bool is_xml(const std::string& text) {
    const tests::ScratchDirectory scratch;
    const std::string path = (scratch.path() / "junit.xml").string();
    std::ofstream{path} << text;
    const std::string check =
        "python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' " + path +
        " >/dev/null 2>&1";
    return std::system(check.c_str()) == 0;
}

} // namespace

TEST_CASE("a run is one test and each threshold another, with expected and actual") {
    const std::string xml = junit(SampleRun{}.make());
    CAPTURE(xml);
    CHECK(is_xml(xml));
    CHECK(contains(
        xml,
        "<testsuite name=\"checkout: ramp over the knee\" tests=\"6\" failures=\"3\" errors=\"0\" "
        "time=\"180.000\" skipped=\"0\" timestamp=\"2025-06-15T15:06:40\">"));
    CHECK(contains(xml, "name=\"run\" time=\"180.000\"/>"));
    CHECK(contains(xml, "name=\"p99 &lt; 100ms\" time=\"0\"/>"));
    CHECK(contains(xml, "message=\"expected error_rate &lt; 0.1%, measured 0.61 %\""));
    CHECK(contains(xml, "actual:   not measured"));
    CHECK(contains(xml, "value=\"http://127.0.0.1:8080 &lt;shop &amp; till&gt;\""));
}

TEST_CASE("a run that could not be carried out is an error") {
    Run run = SampleRun{}.make();
    run.verdict = Verdict::broken;
    run.reason = "no bee came";
    const std::string xml = junit(run);
    CHECK(is_xml(xml));
    CHECK(contains(xml, "errors=\"1\""));
    CHECK(contains(xml, "<error type=\"broken off\" message=\"no bee came\"/>"));
}

TEST_CASE("whatever a scenario is called, it stays XML") {
    Run run = SampleRun{}.make();
    run.summary.scenario = "]]>\"'<&\x01\x1b\xff\n\t\xed\xa0\x80";
    run.summary.thresholds.push_back({"\x02</testcase>", 1, false});
    run.environment.emplace_back("<a href=\"x\">", std::string(10'000, '<'));
    CHECK(is_xml(junit(run)));
    CHECK(is_xml(junit(Run{})));
    CHECK_FALSE(is_xml("<a><b></a>")); // the parser does mind
}
