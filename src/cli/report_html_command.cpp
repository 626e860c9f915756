#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_summary.hpp"
#include "cli/report_commands.hpp"
#include "cli/unfinished_file.hpp"
#include "report/final_text.hpp"
#include "report/html.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct ReportHtmlOptions {
    FilePath summary{};
    FilePath out{};
};

void declare_report_html(OptionTable& table, ReportHtmlOptions& options) {
    table.add_positional("SUMMARY", options.summary)
        .required()
        .help("file that a run wrote as its summary; - is standard input");
    table.add_flag("out", options.out)
        .letter('o')
        .required()
        .help("file to write; one that is there is replaced; - is standard output");
}

Status write_file(const std::string& path, const std::string& text) {
    auto file = UnfinishedFile::create(path, IfThere::replace);
    if (!file) return fail(file.error());
    if (auto written = file->write(text); !written) return written;
    return file->keep();
}

int run_report_html(ReportHtmlOptions& options, Call& call) {
    const auto summary = read_summary(options.summary.text, call.host.in);
    if (!summary) return report(call.host, summary.error());
    const std::string page = report::html(report::run_of(*summary));
    if (options.out.text == "-") {
        call.host.out << page;
        return exit_ok;
    }
    if (auto written = write_file(options.out.text, page); !written)
        return report(call.host, written.error());
    return exit_ok;
}

} // namespace

Command report_html_command() {
    return make_command<ReportHtmlOptions>(
        {.name = "html",
         .summary = "a page with charts from the summary of a run",
         .description =
             "One file that needs nothing else: no network, no server. A summary holds rates, "
             "failures and percentiles over time; queue depths, plan and distribution are only in "
             "the report that the run itself writes.",
         .examples = {{"hive report html run.json -o run.html", "open it in any browser"}}},
        declare_report_html, run_report_html);
}

} // namespace hive::cli
