#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_summary.hpp"
#include "cli/report_commands.hpp"
#include "report/final_text.hpp"

namespace hive::cli {
namespace {

struct ReportShowOptions {
    FilePath summary{};
};

void declare_report_show(OptionTable& table, ReportShowOptions& options) {
    table.add_positional("SUMMARY", options.summary)
        .required()
        .help("file that a run wrote as its summary; - is standard input");
}

int run_report_show(ReportShowOptions& options, Call& call) {
    const auto summary = read_summary(options.summary.text, call.host.in);
    if (!summary) return report(call.host, summary.error());
    call.host.out << report::final_text(report::run_of(*summary), {.colors = call.host.colors});
    return exit_ok;
}

} // namespace

Command report_show_command() {
    return make_command<ReportShowOptions>(
        {.name = "show",
         .summary = "the text at the end of a run, from its summary",
         .examples =
             {{"hive report show run.json", "counts, latencies and thresholds of that run"},
              {"ssh ci cat run.json | hive report show -", "of a file that is elsewhere"}}},
        declare_report_show, run_report_show);
}

} // namespace hive::cli
