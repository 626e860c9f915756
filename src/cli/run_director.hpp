#pragma once

#include "cli/signals.hpp"
#include "report/run.hpp"
#include "run/course.hpp"
#include "run/recorder.hpp"
#include "run/stage.hpp"

#include <atomic>
#include <functional>
#include <string>

namespace hive::cli {

// What is to be run.
struct Play {
    std::string scenario{};
    std::string swarm{};
    json::object text{}; // of the template
    json::object plan{};
    std::optional<std::uint64_t> planned{}; // items, where it is known
    run::CourseOptions course{};
    std::vector<report::Marker> markers{}; // of the plan
};

// Takes a run from its creation to its removal. A first signal ends whatever goes on, the load with
// a wait for what is under way, and removes the swarm; a second one waits for nothing. The report
// is made in any case.
class Director {
public:
    using Show = std::function<void(const report::Run& run)>;
    struct Parts { // all outlive it
        run::Stage& stage;
        const SignalWait& signals;
        const Clock& clock;
        Show show;
        std::function<void()> leave; // the program, when even a second signal ends nothing
    };

    explicit Director(Parts parts) : parts_{std::move(parts)} {}

    // The error is why it could not begin; what went wrong later is in the verdict.
    Result<report::Run> direct(const Play& play);

    bool in_haste() const noexcept { return signals_ >= 2; } // whoever waits wants to be gone

private:
    Status begin(const Play& play);
    void carry_on(run::Course& course, run::Recorder& recorder);
    void hear(run::Course& course, int signal);
    void hold(run::Course& course);
    void conclude(const Play& play, const run::Course& course, run::Recorder& recorder);
    void last_look(run::Recorder& recorder);
    Status remove();
    template <class Work>
    Status watched(run::Patience after_first, const Work& work);

    Parts parts_;
    std::atomic<int> signals_{0}; // that ask to end, so far
    std::string broken_{};
};

} // namespace hive::cli
