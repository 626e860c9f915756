#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_summary.hpp"
#include "cli/report_commands.hpp"
#include "report/compare.hpp"

#include <fmt/format.h>

#include <vector>

namespace hive::cli {
namespace {

struct ReportCompareOptions {
    FilePath before{};
    FilePath after{};
    std::vector<FilePath> more_before{};
    std::vector<FilePath> more_after{};
    double tolerance_percent = 5;
    std::uint64_t seed = 1;
    bool json = false;
};

void declare_report_compare(OptionTable& table, ReportCompareOptions& options) {
    table.add_positional("BASE", options.before)
        .required()
        .help("summary of the run to compare with");
    table.add_positional("NEW", options.after).required().help("summary of the run in question");
    table.add_flag("base", options.more_before)
        .help("another run like BASE; may be given several times");
    table.add_flag("new", options.more_after)
        .help("another run like NEW; may be given several times");
    table.add_flag("tolerance", options.tolerance_percent)
        .value_name("PERCENT")
        .range(0, 100)
        .help("a smaller change does not matter");
    table.add_flag("seed", options.seed)
        .help("of the draws that tell noise: the same gives the same");
    table.add_flag("json", options.json).help("answer for scripts");
}

Result<std::vector<telemetry::Summary>>
read_side(const FilePath& first, const std::vector<FilePath>& more, int standard_input) {
    std::vector<telemetry::Summary> side;
    std::vector<FilePath> paths{first};
    paths.insert(paths.end(), more.begin(), more.end());
    for (const FilePath& path : paths) {
        auto summary = read_summary(path.text, standard_input);
        if (!summary) return fail(summary.error());
        side.push_back(std::move(*summary));
    }
    return side;
}

int run_report_compare(ReportCompareOptions& options, Call& call) {
    const auto before = read_side(options.before, options.more_before, call.host.in);
    if (!before) return report(call.host, before.error());
    const auto after = read_side(options.after, options.more_after, call.host.in);
    if (!after) return report(call.host, after.error());
    const report::Comparison found = report::compare(
        *before, *after, {.tolerance = options.tolerance_percent / 100, .seed = options.seed});
    call.host.out
        << (options.json ? hive::to_text(report::to_json(found)) + "\n"
                         : report::to_text(found, call.host.colors));
    return found.verdict == report::Change::worse ? exit_check_failed : exit_ok;
}

} // namespace

Command report_compare_command() {
    return make_command<ReportCompareOptions>(
        {.name = "compare",
         .summary = "is a run better, worse or the same as another?",
         .description =
             "Says for each metric whether the change is more than noise and large enough to "
             "matter. With two or more runs a side noise is what differs between runs of the same "
             "side; with one it is what differs between the seconds of a run; where a summary "
             "holds neither, the size of the change decides, and the answer says so.\n\n"
             "Exit code 1: worse. 0: better, same, or unclear. 2: a file is no summary.",
         .examples =
             {{"hive report compare before.json after.json", "a table and a verdict"},
              {"hive report compare a1.json b1.json --base a2.json --new b2.json",
               "two runs a side: an answer to trust"},
              {"hive report compare a.json b.json --tolerance 2 --json", "for a script"}}},
        declare_report_compare, run_report_compare);
}

} // namespace hive::cli
