#include "report/series.hpp"
#include "telemetry/summary_json.hpp"
#include "tests/support/sample_run.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::tests;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

struct Summaries {
    ScratchDirectory scratch{};

    std::string path(const std::string& name) const { return scratch.path(name); }
    std::string write(const std::string& name, const SampleRun& sample) const {
        const report::Run run = sample.make();
        telemetry::Summary summary = run.summary;
        summary.series = report::series_of(run.moments);
        std::ofstream{path(name)} << to_text(telemetry::to_json(summary));
        return path(name);
    }
};

} // namespace

TEST_CASE("a summary is shown as text and as a page") {
    const Summaries files;
    const std::string run = files.write("run.json", {});
    const auto shown = run_hive({"report", "show", run});
    CHECK(shown.exit_code == 0);
    CHECK_MESSAGE(shown.out.starts_with("✗ failed  checkout: ramp over the knee\n"), shown.out);
    const auto drawn = run_hive({"report", "html", run, "-o", files.path("run.html")});
    CHECK_MESSAGE(drawn.exit_code == 0, drawn.err);
    CHECK(std::filesystem::file_size(files.path("run.html")) > 20'000);
    CHECK(run_hive({"report", "html", run, "-o", "-"}).out.starts_with("<!doctype html>"));
    CHECK(run_hive({"report", "html", run, "-o", files.path("no/such/run.html")}).exit_code != 0);
}

TEST_CASE("worse is exit code 1, better and same are 0") {
    const Summaries files;
    const std::string base = files.write("base.json", {.seed = 1});
    const std::string slow = files.write("slow.json", {.seed = 2, .slower = 1.3});
    const auto worse = run_hive({"report", "compare", base, slow});
    CHECK(worse.exit_code == 1);
    CHECK_MESSAGE(worse.out.starts_with("worse  1 run against 1"), worse.out);
    CHECK(run_hive({"report", "compare", slow, base}).exit_code == 0);
    CHECK(run_hive({"report", "compare", base, base}).exit_code == 0);
    CHECK(run_hive({"report", "compare", base, slow, "--tolerance", "90"}).exit_code == 0);
    const auto document = parse_json(run_hive({"report", "compare", base, slow, "--json"}).out);
    REQUIRE(document);
    CHECK(document->at("verdict") == "worse");
    const auto several = run_hive({"report", "compare", base, slow, "--base", base, "--new", slow});
    CHECK(contains(several.out, "2 runs against 2"));
}

TEST_CASE("a file that is no summary is exit code 2 and named") {
    const Summaries files;
    const std::string base = files.write("base.json", {});
    std::ofstream{files.path("other.json")} << R"({"schema":"x"})";
    const auto other = run_hive({"report", "compare", base, files.path("other.json")});
    CHECK(other.exit_code == 2);
    CHECK_MESSAGE(contains(other.err, "other.json is not a summary of a run"), other.err);
    const auto missing = run_hive({"report", "show", files.path("none.json")});
    CHECK(missing.exit_code == 2);
    CHECK(contains(missing.err, "none.json cannot be read"));
    CHECK(run_hive({"report", "compare", base}).exit_code == 2);
}
