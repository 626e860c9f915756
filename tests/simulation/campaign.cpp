#include "tests/simulation/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace hive::simulation {
namespace {

// A plain array, because a handler of SIGABRT must not call into the library.
thread_local std::array<char, 96> playing{};

RunReport play_marked(const Scenario& scenario, std::uint64_t seed, FaultSet allowed) {
    const auto end = fmt::format_to_n(
        playing.data(), playing.size() - 1, "--scenario {} --seed {}", scenario.name, seed);
    *end.out = '\0';
    auto report = play(scenario, seed, allowed, {});
    playing[0] = '\0';
    return report;
}

class Race {
public:
    explicit Race(const Campaign& campaign) : campaign_{campaign} {}

    void run_one_thread() {
        while (!stopped_) {
            const std::uint64_t index = next_.fetch_add(1);
            if (index >= campaign_.seeds) return;
            const std::uint64_t seed = campaign_.from + index;
            auto report = play_marked(campaign_.scenario, seed, campaign_.allowed);
            steps_ += report.steps;
            const std::uint64_t done = ++done_;
            if (report.violation) keep({seed, std::move(report)});
            if (campaign_.enough && campaign_.enough(done)) stopped_ = true;
        }
    }

    CampaignResult result() {
        const std::scoped_lock lock{mutex_};
        return {done_, steps_, failure_};
    }

private:
    void keep(Failure failure) {
        stopped_ = true;
        const std::scoped_lock lock{mutex_};
        if (!failure_ || failure.seed < failure_->seed) failure_ = std::move(failure);
    }

    const Campaign& campaign_;
    std::atomic<std::uint64_t> next_ = 0;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<std::uint64_t> steps_ = 0;
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::optional<Failure> failure_;
};

} // namespace

const char* now_playing() noexcept {
    return playing.data();
}

CampaignResult run(const Campaign& campaign) {
    Race race{campaign};
    {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < campaign.jobs; ++i) {
            others.emplace_back([&race] { race.run_one_thread(); });
        }
        race.run_one_thread();
    }
    return race.result();
}

Shrunk shrink(const Scenario& scenario, const Failure& failure, FaultSet allowed, unsigned nearby) {
    Shrunk best{allowed, failure.seed};
    const auto fails_with = [&](FaultSet faults) -> std::optional<std::uint64_t> {
        for (std::uint64_t seed = failure.seed; seed <= failure.seed + nearby; ++seed) {
            const auto report = play_marked(scenario, seed, faults);
            if (report.violation && report.violation->rule == failure.report.violation->rule) {
                return seed;
            }
        }
        return std::nullopt;
    };
    for (const Fault fault : allowed.kinds()) {
        const FaultSet fewer = best.faults.without(fault);
        if (const auto seed = fails_with(fewer)) best = {fewer, *seed};
    }
    return best;
}

std::string replay_command(const Scenario& scenario, std::uint64_t seed, FaultSet allowed) {
    auto command =
        fmt::format("build/tests/simulation --scenario {} --seed {}", scenario.name, seed);
    if (allowed != FaultSet::all()) command += fmt::format(" --faults {}", allowed.text());
    return command + " --trace";
}

} // namespace hive::simulation
