#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/open_stage.hpp"
#include "cli/run_files.hpp"
#include "cli/run_options.hpp"
#include "cli/run_performance.hpp"
#include "cli/run_play.hpp"
#include "cli/run_search.hpp"
#include "cli/run_view.hpp"
#include "report/final_text.hpp"
#include "telemetry/summary_json.hpp"

namespace hive::cli {
namespace {

int exit_code_of(report::Verdict verdict) {
    switch (verdict) {
    case report::Verdict::running:
    case report::Verdict::passed: return exit_ok;
    case report::Verdict::failed:
    case report::Verdict::aborted: return exit_check_failed;
    case report::Verdict::interrupted: return exit_interrupted;
    case report::Verdict::broken: return exit_failed;
    }
    return exit_failed;
}

// None after the reason was told.
std::optional<Play> play_of(const RunOptions& options, Host& host) {
    std::optional<Play> play;
    if (is_url(options.what)) {
        auto made = play_of_url(options);
        if (!made) return report(host, made.error()), std::nullopt;
        play = *std::move(made);
    } else {
        play = play_of_scenario(options, host);
    }
    if (!play) return std::nullopt;
    auto thresholds = thresholds_of(options.thresholds);
    if (!thresholds) return report(host, thresholds.error()), std::nullopt;
    for (auto& threshold : *thresholds) {
        play->course.thresholds.push_back(std::move(threshold));
    }
    play->course.drain = options.drain;
    play->swarm = swarm_name_of(options);
    return play;
}

int tell(report::Run& run, const RunOptions& options, Host& host) {
    run.environment = environment_of(options);
    auto files = write_run_files(run, options);
    if (options.json) {
        host.out << to_text(telemetry::to_json(run.summary)) << '\n';
    } else if (!options.quiet) {
        host.out << report::final_text(
            run, {.width = terminal_size().width,
                  .colors = host.colors,
                  .files = files ? *files : WrittenFiles{}});
    }
    if (!files) return report(host, files.error());
    if (run.verdict == report::Verdict::broken) host.err << "error: " << run.reason << '\n';
    return exit_code_of(run.verdict);
}

int run_run(RunOptions& options, Call& call) {
    const auto play = play_of(options, call.host);
    if (!play) return exit_bad_input;
    const SignalWait signals; // before any thread starts
    Performance performance{options, signals, call.host};
    auto run =
        options.find_max ? find_max(*play, options, performance) : performance.perform(*play);
    if (!run) return report(call.host, run.error());
    const int code = tell(*run, options, call.host);
    if (performance.in_haste()) leave_program(call.host);
    return code;
}

} // namespace

Command run_command() {
    return make_command<RunOptions>(
        {.name = "run",
         .summary = "run a scenario, or call a URL, from start to report",
         .description =
             "Given a URL it runs the standard four bees: a generator keeps to --rate, a moderator "
             "lets everything pass, a processor makes the calls, a post-processor measures them. "
             "Nothing needs to be installed or configured: they live in this process.\n\n"
             "Latency is told twice: from when a call was sent, and from when it was due by the "
             "schedule, which also counts the time it had to wait for its turn.\n\n"
             "Ctrl-C ends the load, waits for what is under way and reports; a second one does not "
             "wait. While a run starts the first one gives up and removes what is there. Exit "
             "codes: 0 all is well, 1 a threshold was broken, 2 bad input, 3 the run "
             "failed, 130 interrupted.",
         .examples =
             {{"hive run scenarios/hello", "a scenario, with the thresholds in it"},
              {"hive run http://localhost:8080/ --rate 5000 --duration 10s",
               "5,000 calls a second for ten seconds"},
              {"hive run http://localhost:8080/ --rate max --connections 50",
               "as fast as 50 connections go"},
              {"hive run http://localhost:8080/ --rate 100 --threshold 'p99 < 50ms'",
               "exit with 1 when one in a hundred takes longer"},
              {"hive run scenarios/hello --server https://hive.example",
               "the same on a hive elsewhere"},
              {"hive run http://localhost:8080/ --find-max --threshold 'p99 < 50ms'",
               "the highest rate at which that holds"},
              {"hive run http://localhost:8080/api --body @order.json --rate 100",
               "POST what is in a file"}}},
        declare_run_options, run_run);
}

} // namespace hive::cli
