#include "cli/run_performance.hpp"

#include "cli/exit_code.hpp"
#include "cli/open_stage.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace hive::cli {

ScratchFolder::ScratchFolder()
    : path_{std::filesystem::temp_directory_path() / fmt::format("hive-run-{}", ::getpid())} {}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored; // the system cleans up its own folder
    std::filesystem::remove_all(path_, ignored);
}

Performance::Performance(const RunOptions& options, const SignalWait& signals, Host& host)
    : options_{options}, signals_{signals}, host_{host},
      sink_{STDERR_FILENO, log_style(STDERR_FILENO, LogFormat::human, host.colors)},
      view_{host, options.quiet || options.json} {
    if (auto set = levels_.set("error"); !set) throw std::logic_error(set.error().detail);
}

Result<report::Run> Performance::perform(const Play& play) {
    view_.note(fmt::format("starting {} ...", play.scenario));
    if (auto ok = open(play); !ok) return fail(ok.error());
    Director director{
        {.stage = *stage_,
         .signals = signals_,
         .clock = host_.clock,
         .show = [this](const report::Run& run) { view_.show(run); },
         .leave = [this] { leave_program(host_); }}};
    auto run = director.direct(play);
    view_.clear();
    in_haste_ = director.in_haste();
    if (!in_haste_) stage_.reset();
    return run;
}

void Performance::say(const std::string& line) {
    if (!options_.quiet && !options_.json) host_.err << line << '\n' << std::flush;
}

Status Performance::open(const Play& play) {
    const auto swarm = SwarmId::parse(play.swarm);
    if (!swarm) return fail(Errc::invalid, "--swarm: " + swarm.error().detail);
    // Nothing is there yet that would have to be removed.
    const SignalWatch watch{
        signals_,
        [](int signal) -> std::optional<Duration> {
            return signal == SIGHUP ? std::nullopt : std::optional{Duration::zero()};
        },
        [this] {
            view_.clear();
            host_.err << "interrupted before the run began\n";
            leave_program(host_);
        }};
    SwarmHostOptions place{
        .broker = options_.broker, .data = scratch_.text(), .log_level = "error"};
    place.swarm.components.marshal.buffer_guards = options_.buffer_guards;
    auto stage = open_stage(
        options_, std::move(place), *swarm, {host_, Logger{sink_, host_.clock, levels_, "run"}});
    if (!stage) return fail(stage.error());
    stage_ = *std::move(stage);
    return {};
}

} // namespace hive::cli
