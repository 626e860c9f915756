// Commands that take time: provisioning, start and stop rank by rank, removal.
#include "controller/step.hpp"

#include <algorithm>

namespace hive::controller {
namespace {

using Verb = wire::Command;

Phase phase_during(Verb command) {
    switch (command) {
    case Verb::swarm_template: return Phase::provisioning;
    case Verb::swarm_start: return Phase::starting;
    case Verb::swarm_stop: return Phase::stopping;
    default: return Phase::removing;
    }
}

void end_work(Step& step, Phase phase) {
    const Work work = *std::exchange(step.state.work, std::nullopt);
    step.enter(phase);
    for (const auto& attempt : work.attempts) {
        answer(step, attempt, wire::Outcome::succeeded(work.command, gating_flags(step.state)));
    }
}

void fail_work(Step& step, const Failure& failure) {
    const Work work = *std::exchange(step.state.work, std::nullopt);
    step.enter(Phase::failed);
    answer_failed(step, work, failure);
}

// The bees that `wrong` says something about, in one sentence, with the end of their logs.
template <class Wrong>
Failure failure_of(const State& state, Wrong&& wrong) {
    Failure failure;
    for (const Bee& bee : state.bees) {
        const std::string what = wrong(bee);
        if (what.empty()) continue;
        if (!failure.reason.empty()) failure.reason += "; ";
        failure.reason += bee.spec.instance.text() + ": " + what;
        failure.log.insert(failure.log.end(), bee.log.begin(), bee.log.end());
    }
    return failure;
}

// It ended, could not be launched or refused its configuration, and nobody will try again.
std::string trouble_of(const Bee& bee) {
    return bee.launch_at ? std::string{} : bee.trouble;
}

void enter_rank(Step& step, std::size_t rank, bool enabled) {
    Work& work = *step.state.work;
    work.rank = rank;
    work.rank_deadline =
        step.moment.now + (enabled ? step.settings.start_each : step.settings.stop_each);
    for (Bee& bee : step.state.bees) {
        if (bee.rank == rank) want(step, bee, enabled);
    }
}

void launch_all(Step& step) {
    State& state = step.state;
    state.order = start_order(state.layout);
    state.bees.clear();
    state.templated = false;
    step.out.emplace_back(Declare{work_layout(state.swarm, state.layout)});
    for (std::size_t i = 0; i < state.layout.bees.size(); ++i) {
        const BeeSpec& spec = state.layout.bees[i];
        state.bees.push_back({.spec = spec, .rank = state.order.rank_of[i], .config = spec.config});
        launch(step, state.bees.back());
        prepare_bootstrap(step, state.bees.back());
    }
    if (state.order.cyclic) {
        alert(
            step, wire::AlertLevel::warn, "controller.cyclic-topology",
            "the queues form a cycle: bees on it start in the order of their declaration");
    }
}

void relaunch_missing(Step& step) {
    for (Bee& bee : step.state.bees) {
        if (bee.launched) continue;
        bee.failures = 0; // people ask for it
        launch(step, bee);
    }
}

void start_work(Step& step, Verb command) {
    Work& work = *step.state.work;
    const std::size_t last = step.state.order.ranks == 0 ? 0 : step.state.order.ranks - 1;
    switch (command) {
    case Verb::swarm_template: return launch_all(step);
    case Verb::swarm_start:
        work.deadline = step.moment.now + step.settings.start_all;
        relaunch_missing(step);
        return enter_rank(step, 0, true);
    case Verb::swarm_stop: return enter_rank(step, last, false);
    default: step.state.removal = Removal::workload; return enter_rank(step, last, false);
    }
}

bool rank_done(const State& state, bool enabled) {
    return std::ranges::all_of(state.bees, [&](const Bee& bee) {
        const bool stopped = bee.gone && !enabled; // who does not run need not be told to stop
        return bee.rank != state.work->rank || stopped ||
               (bee.acknowledged && bee.enabled == enabled);
    });
}

bool is_provisioned(const Bee& bee) {
    return bee.acknowledged && !bee.enabled && bee.contact == Contact::fresh;
}

// One that has been asked for its status is not late yet.
bool is_late(const Step& step, const Bee& bee) {
    const bool heard = bee.contact == Contact::fresh || bee.contact == Contact::asked;
    return !(bee.acknowledged && heard) && step.moment.now >= bee.provision_by;
}

void advance_provisioning(Step& step) {
    const State& state = step.state;
    if (auto failure = failure_of(state, trouble_of); !failure.reason.empty()) {
        return fail_work(step, failure);
    }
    if (std::ranges::all_of(state.bees, is_provisioned)) {
        step.state.templated = true;
        return end_work(step, Phase::ready);
    }
    const bool late =
        std::ranges::any_of(state.bees, [&](const Bee& bee) { return is_late(step, bee); });
    if (!late) return;
    fail_work(step, failure_of(state, [&](const Bee& bee) -> std::string {
                  if (!is_late(step, bee)) return {};
                  if (!bee.trouble.empty()) return bee.trouble;
                  if (bee.contact == Contact::never) return "never reported its status";
                  return "did not acknowledge its configuration in time";
              }));
}

void advance_start(Step& step) {
    const State& state = step.state;
    const Work& work = *state.work;
    if (rank_done(state, true)) {
        if (work.rank + 1 == state.order.ranks) return end_work(step, Phase::running);
        return enter_rank(step, work.rank + 1, true);
    }
    const auto waited_for = [&](const Bee& bee) {
        return bee.rank == work.rank && !(bee.acknowledged && bee.enabled);
    };
    auto failure = failure_of(state, [&](const Bee& bee) {
        return waited_for(bee) && !bee.launched ? trouble_of(bee) : std::string{};
    });
    if (!failure.reason.empty()) return fail_work(step, failure);
    if (step.moment.now < std::min(work.rank_deadline, work.deadline)) return;
    fail_work(step, failure_of(state, [&](const Bee& bee) -> std::string {
                  return waited_for(bee) ? "did not start in time" : "";
              }));
}

void force_stop(Step& step) {
    for (Bee& bee : step.state.bees) {
        if (bee.rank != step.state.work->rank || bee.gone) continue;
        if (bee.acknowledged && !bee.enabled) continue;
        step.out.emplace_back(StopBee{bee.spec.instance});
        bee.ending = true;
        bee.gone = true;
        bee.launched = false;
        bee.enabled = false;
        bee.trouble = forced_stop;
        if (bee.contact != Contact::never)
            bee.contact = Contact::stale; // no need to wait for silence
        alert(
            step, wire::AlertLevel::warn, "worker.forced-stop",
            bee.spec.instance.text() + " did not stop in time and is ended");
    }
}

// True once every bee is disabled, or was made to end.
bool stopped_all(Step& step) {
    Work& work = *step.state.work;
    for (;;) {
        if (!rank_done(step.state, false)) {
            if (step.moment.now < work.rank_deadline) return false;
            force_stop(step);
        }
        if (work.rank == 0) return true;
        enter_rank(step, work.rank - 1, false); // done at once when nobody of it runs
    }
}

void advance_removal(Step& step) {
    State& state = step.state;
    if (state.removal == Removal::workload) {
        if (!state.bees.empty() && !stopped_all(step)) return;
        state.removal = Removal::bees;
        state.remove_again = step.moment.now;
    }
    if (step.moment.now < state.remove_again) return;
    state.remove_again = step.moment.now + step.settings.send_again;
    if (state.removal == Removal::objects) {
        step.out.emplace_back(RemoveObjects{objects_of(state.swarm, state.layout)});
        return;
    }
    step.out.emplace_back(StopAllBees{});
}

} // namespace

void begin(Step& step, Verb command, const wire::Attempt& attempt) {
    State& state = step.state;
    if (command == Verb::swarm_remove && state.phase == Phase::removed) {
        return answer(step, attempt, wire::Outcome::succeeded(command));
    }
    // A swarm that lost a bee is not what a start asks for: the bee is launched again.
    const bool whole = std::ranges::none_of(state.bees, &Bee::gone);
    const bool already = (command == Verb::swarm_start && state.phase == Phase::running && whole) ||
                         (command == Verb::swarm_stop && state.phase == Phase::stopped);
    if (already) {
        return answer(step, attempt, wire::Outcome::succeeded(command, gating_flags(state)));
    }
    if (state.work && state.work->command == command) {
        state.work->attempts.push_back(attempt);
        return;
    }
    if (state.work) {
        answer_failed(
            step, *std::exchange(state.work, std::nullopt),
            {"given up for " + std::string{name_of(command)}});
    }
    state.work = Work{.command = command, .attempts = {attempt}};
    step.enter(phase_during(command));
    start_work(step, command);
}

void advance(Step& step) {
    if (!step.state.work) return;
    switch (step.state.work->command) {
    case Verb::swarm_template: return advance_provisioning(step);
    case Verb::swarm_start: return advance_start(step);
    case Verb::swarm_stop:
        if (stopped_all(step)) end_work(step, Phase::stopped);
        return;
    default: advance_removal(step);
    }
}

void bees_gone(Step& step) {
    State& state = step.state;
    if (state.phase != Phase::removing || state.removal != Removal::bees) return;
    for (Bee& bee : state.bees) bee.launched = false;
    state.removal = Removal::objects;
    state.remove_again = step.moment.now;
}

void objects_removed(Step& step) {
    if (step.state.phase != Phase::removing || step.state.removal != Removal::objects) return;
    end_work(step, Phase::removed);
}

} // namespace hive::controller
