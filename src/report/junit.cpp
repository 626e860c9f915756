#include "report/junit.hpp"

#include "kernel/append_format.hpp"
#include "kernel/timestamp.hpp"
#include "report/judged_text.hpp"
#include "report/markup.hpp"
#include "report/screen_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::report {
namespace {

// A run that was not carried out is an error of the test, not a failure of what it tests.
bool went_wrong(const Run& run) {
    return run.verdict == Verdict::broken || run.verdict == Verdict::interrupted;
}

std::string properties(const Run& run) {
    if (run.environment.empty()) return {};
    std::string out = "    <properties>\n";
    for (const auto& [name, value] : run.environment) {
        append_format(
            out, "      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
    }
    return out + "    </properties>\n";
}

std::string run_case(const Run& run, const std::string& name) {
    std::string out = fmt::format(
        "    <testcase classname=\"{}\" name=\"run\" time=\"{:.3f}\"", name,
        run.summary.duration_sec);
    if (!went_wrong(run)) return out + "/>\n";
    return out + fmt::format(
                     ">\n      <error type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                     word_of(run.verdict),
                     escaped(run.reason.empty() ? word_of(run.verdict) : run.reason));
}

std::string threshold_case(const telemetry::Summary::Judged& judged, const std::string& name) {
    const std::string expr = escaped(judged.expr);
    std::string out =
        fmt::format("    <testcase classname=\"{}.thresholds\" name=\"{}\" time=\"0\"", name, expr);
    if (judged.ok) return out + "/>\n";
    const std::string actual = escaped(value_text(judged));
    return out + fmt::format(
                     ">\n      <failure type=\"threshold\" message=\"expected {}, measured {}\">"
                     "expected: {}\nactual:   {}\n</failure>\n    </testcase>\n",
                     expr, actual, expr, actual);
}

} // namespace

std::string junit(const Run& run) {
    const telemetry::Summary& s = run.summary;
    const std::string name = s.scenario.empty() ? "run" : escaped(s.scenario);
    const auto failures = std::ranges::count_if(s.thresholds, [](const auto& t) { return !t.ok; });
    const std::string counts = fmt::format(
        "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", name,
        s.thresholds.size() + 1, failures, went_wrong(run) ? 1 : 0, s.duration_sec);
    std::string when = format_timestamp(std::chrono::floor<std::chrono::seconds>(s.started_at));
    if (when.ends_with('Z')) when.pop_back(); // the schema has no place for a zone
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format("<testsuites {}>\n  <testsuite {}", counts, counts);
    out += fmt::format(" skipped=\"0\" timestamp=\"{}\">\n", when);
    out += properties(run) + run_case(run, name);
    for (const auto& judged : s.thresholds) out += threshold_case(judged, name);
    return out + "  </testsuite>\n</testsuites>\n";
}

} // namespace hive::report
