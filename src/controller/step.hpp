#pragma once

#include "controller/state.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::controller {

// One decision being made. The parts of decide() share it; nobody else includes this.
struct Step {
    State& state;
    Moment moment;
    const Settings& settings;
    std::vector<Command>& out;
    bool changed = false; // enough for a status on the spot
    bool refused = false; // NotReady comes alone: what else is due waits for the next event

    void publish(wire::Envelope envelope) { out.emplace_back(Publish{std::move(envelope)}); }
    wire::Scope self() const { return {state.swarm, wire::controller_role(), state.instance}; }
    wire::Sender sender() const { return {{wire::controller_role(), state.instance}, moment.wall}; }
    void enter(Phase phase) {
        state.phase = phase;
        changed = true;
    }
};

// messages.cpp
void answer(Step& step, const wire::Attempt& attempt, wire::Outcome outcome);
struct Failure {
    std::string reason;
    std::vector<std::string> log{}; // the last lines of those who failed
};
// Every attempt ends as Failed, each with its alert.
void answer_failed(Step& step, const Work& work, const Failure& failure);
void alert(Step& step, wire::AlertLevel level, std::string_view code, std::string message);
void alert_with_log(Step& step, wire::Alert alert, const std::vector<std::string>& log);
// `correlation`: of what led to it; empty: of what is under way, or of what it was told last.
void note_error(Step& step, const Bee& bee, std::string reason, std::string correlation = {});
void message_rejected(Step& step, const Rejected& rejected);
std::string send_signal(Step& step, wire::Scope target, wire::Signal signal); // its id
json::object gating_flags(const State& state);
bool all_acknowledged(const State& state);

// bees.cpp
// Merged into what it still has to acknowledge.
void give(Step& step, Bee& bee, const json::object& patch);
void want(Step& step, Bee& bee, bool enabled);
void prepare_bootstrap(Step& step, Bee& bee); // sent once the bee is there to hear it
void bootstrap(Step& step, Bee& bee);
void hear_status(Step& step, const wire::Envelope& status);
void send_unacknowledged(Step& step);
void watch_bees(Step& step); // heartbeats
Bee* find_bee(State& state, std::string_view instance);

// commands.cpp
void hear_signal(Step& step, const wire::Envelope& signal);

// lifecycle.cpp
void begin(Step& step, wire::Command command, const wire::Attempt& attempt);
void advance(Step& step);
void bees_gone(Step& step);
void objects_removed(Step& step);

// restarts.cpp
inline constexpr std::string_view forced_stop = "it did not stop in time and was ended";
void launch(Step& step, Bee& bee);
void bee_launched(Step& step, Bee& bee);
void bee_failed(Step& step, Bee& bee, const LaunchFailed& failed);
void bee_exited(Step& step, Bee& bee, const Exited& exited);
void restart_ended(Step& step); // those whose policy says so, when their time has come

// plan_steps.cpp
Status check_targets(const plan::Plan& plan, const State& state); // that there is somebody for each
void drive_plan(Step& step);

// Told to the bee, and kept for one that starts anew.
void configure_bee(Step& step, Bee& bee, const json::object& patch);

// guards.cpp
void drive_guards(Step& step);
void release_guards(Step& step); // before others take their place
void queues_sampled(Step& step, const QueuesSampled& seen);
Status patch_guards(Step& step, const json::object& policy); // of a config-update; all or nothing
std::optional<TimePoint> next_sample(const State& state);
json::array guards_status(const Step& step);

// queues.cpp
void inspect_if_due(Step& step);
void queues_inspected(Step& step, const QueuesInspected& seen);
json::object queue_stats(const State& state);

// aggregate.cpp
void say_full(Step& step);
void say_delta(Step& step);
void judge_health(Step& step);

} // namespace hive::controller
