#include "tests/simulation/campaign.hpp"
#include "tests/simulation/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <thread>

namespace hive::simulation {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t tail_lines = 40;
constexpr unsigned seeds_nearby = 1000; // tried for each smaller set of faults

void write_all(const char* text) noexcept {
    // Nothing can be done about a stderr that refuses, least of all while dying.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Asserts stay on in our programs: one that fails inside a world must not take the seed with it.
void tell_the_seed(int) noexcept {
    if (now_playing()[0] == '\0') return;
    write_all("ABORTED replay: build/tests/simulation ");
    write_all(now_playing());
    write_all(" --trace\n");
}

void print_violation(const Violation& violation) {
    fmt::print(
        "  rule:   {}\n  found:  {}\n  when:   step {}, {}\n", violation.rule, violation.detail,
        violation.step, seconds_text(violation.at));
}

// The run is played again for its story: the same seed is the same run.
void print_tail(const Options& options, std::uint64_t seed) {
    std::deque<std::string> tail;
    play(*options.scenario, seed, options.faults, [&](std::string_view line) {
        if (tail.size() == tail_lines) tail.pop_front();
        tail.emplace_back(line);
    });
    fmt::print("the last {} lines of its trace:\n", tail.size());
    for (const auto& line : tail) fmt::print("{}\n", line);
}

int report_failure(const Options& options, const Failure& failure) {
    const Scenario& scenario = *options.scenario;
    print_tail(options, failure.seed);
    fmt::print("\n");
    print_violation(*failure.report.violation);
    const Shrunk small = shrink(scenario, failure, options.faults, seeds_nearby);
    fmt::print(
        "  needs:  {} ({})\n", small.faults.text(),
        replay_command(scenario, small.seed, small.faults));
    fmt::print(
        "FAILED seed={} scenario={} replay: {}\n", failure.seed, scenario.name,
        replay_command(scenario, failure.seed, options.faults));
    return 1;
}

int play_one(const Options& options) {
    Trace::Sink print;
    if (options.trace) print = [](std::string_view line) { fmt::print("{}\n", line); };
    const auto report = play(*options.scenario, *options.seed, options.faults, print);
    if (report.violation && !options.trace) {
        return report_failure(options, {*options.seed, report});
    }
    if (report.violation) {
        print_violation(*report.violation);
        fmt::print("FAILED seed={} scenario={}\n", *options.seed, options.scenario->name);
        return 1;
    }
    fmt::print(
        "passed seed={} scenario={} steps={} virtual time={}\n", *options.seed,
        options.scenario->name, report.steps, seconds_text(report.ended_at));
    return 0;
}

double seconds_since(TimePoint start) {
    return std::chrono::duration<double>(SystemClock{}.now() - start).count();
}

class Progress {
public:
    Progress(const Options& options, TimePoint start)
        : options_{options}, start_{start}, shown_{::isatty(STDERR_FILENO) == 1} {}

    bool enough(std::uint64_t done) {
        const TimePoint now = SystemClock{}.now();
        if (shown_) show(done, now);
        return options_.minutes &&
               now - start_ >= std::chrono::minutes{static_cast<std::int64_t>(*options_.minutes)};
    }
    void finish() const {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }

private:
    void show(std::uint64_t done, TimePoint now) {
        auto last = last_.load();
        if (now.time_since_epoch() - Duration{last} < 200ms) return;
        if (!last_.compare_exchange_strong(last, now.time_since_epoch().count())) return;
        fmt::print(
            stderr, "\r\033[K{}: {} seeds, {:.0f}/s", options_.scenario->name, done,
            static_cast<double>(done) / seconds_since(start_));
    }

    const Options& options_;
    TimePoint start_;
    bool shown_;
    std::atomic<Duration::rep> last_ = 0;
};

int play_many(const Options& options) {
    const TimePoint start = SystemClock{}.now();
    Progress progress{options, start};
    Campaign campaign{.scenario = *options.scenario, .from = options.from, .seeds = options.seeds};
    if (options.minutes) campaign.seeds = std::numeric_limits<std::uint64_t>::max();
    campaign.allowed = options.faults;
    campaign.jobs = options.jobs;
    campaign.enough = [&](std::uint64_t done) { return progress.enough(done); };
    const auto result = run(campaign);
    progress.finish();
    const double took = std::max(seconds_since(start), 1e-6);
    fmt::print(
        "{}: {} seeds from {}, {} steps in {:.2f} s on {} threads: {:.0f} seeds/s, {:.0f} "
        "steps/s\n",
        options.scenario->name, result.seeds, options.from, result.steps, took, options.jobs,
        static_cast<double>(result.seeds) / took, static_cast<double>(result.steps) / took);
    return result.failure ? report_failure(options, *result.failure) : 0;
}

int run_program(std::span<const char* const> arguments) {
    const auto options = parse_options(arguments, std::thread::hardware_concurrency());
    if (!options) {
        fmt::print(stderr, "simulation: {}\n", options.error().detail);
        return 2;
    }
    if (options->help) {
        fmt::print("{}", usage);
        return 0;
    }
    if (options->list) {
        for (const Scenario& scenario : scenarios()) {
            fmt::print("{:<26} {}\n", scenario.name, scenario.sentence);
        }
        return 0;
    }
    return options->seed ? play_one(*options) : play_many(*options);
}

} // namespace
} // namespace hive::simulation

int main(int argc, char** argv) {
    std::signal(SIGABRT, hive::simulation::tell_the_seed);
    return hive::simulation::run_program({argv + 1, static_cast<std::size_t>(argc - 1)});
}
