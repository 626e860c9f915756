#include "controller/decide.hpp"

#include "controller/step.hpp"
#include "kernel/overloaded.hpp"

#include <algorithm>

namespace hive::controller {
namespace {

void hear(Step& step, const wire::Envelope& envelope) {
    if (std::holds_alternative<wire::Signal>(envelope.body)) return hear_signal(step, envelope);
    hear_status(step, envelope);
}

// The loops that a pause holds still.
void watch(Step& step) {
    watch_bees(step);
    restart_ended(step);
    inspect_if_due(step);
}

void dispatch(Step& step, const Event& event) {
    const auto with = [&](const InstanceId& instance, auto&& action) {
        if (Bee* bee = find_bee(step.state, instance.text())) action(*bee);
    };
    std::visit(
        overloaded{
            [&](const Started&) { say_full(step); },
            [&](const Heard& heard) { hear(step, heard.envelope); },
            [&](const Launched& done) {
                with(done.instance, [&](Bee& bee) { bee_launched(step, bee); });
            },
            [&](const LaunchFailed& failed) {
                with(failed.instance, [&](Bee& bee) { bee_failed(step, bee, failed); });
            },
            [&](const Exited& exited) {
                with(exited.instance, [&](Bee& bee) { bee_exited(step, bee, exited); });
            },
            [&](const QueuesInspected& seen) { queues_inspected(step, seen); },
            [&](const QueuesSampled& seen) { queues_sampled(step, seen); },
            [&](const Rejected& rejected) { message_rejected(step, rejected); },
            [&](const BeesGone&) { bees_gone(step); },
            [&](const ObjectsRemoved&) { objects_removed(step); },
            [&](const Tick&) {
                send_unacknowledged(step);
                if (!step.state.paused) watch(step);
            },
        },
        event);
}

std::string unacknowledged(const State& state) {
    std::string names;
    for (const Bee& bee : state.bees) {
        if (bee.acknowledged) continue;
        if (!names.empty()) names += ", ";
        names += bee.spec.instance.text();
    }
    return names;
}

void end_configs(Step& step) {
    const bool done = all_acknowledged(step.state);
    std::erase_if(step.state.configs, [&](const PendingConfig& pending) {
        if (done) {
            answer(
                step, pending.attempt, wire::Outcome::applied(step.state.phase == Phase::running));
            return true;
        }
        if (step.moment.now < pending.deadline) return false;
        answer_failed(
            step, {.command = wire::Command::config_update, .attempts = {pending.attempt}},
            {"not every bee acknowledged the configuration: " + unacknowledged(step.state)});
        return true;
    });
}

} // namespace

Decision decide(State state, const Event& event, Moment moment, const Settings& settings) {
    Decision decision{.next = std::move(state)};
    Step step{decision.next, moment, settings, decision.commands};
    dispatch(step, event);
    if (!step.refused) {
        advance(step);
        drive_plan(step);
        drive_guards(step);
    }
    end_configs(step);
    judge_health(step);
    if (step.changed) say_full(step);
    if (moment.now >= decision.next.next_delta) say_delta(step);
    decision.wake_at = decision.next.timeline.next();
    if (const auto sample = next_sample(decision.next)) {
        decision.wake_at = std::min(decision.wake_at.value_or(*sample), *sample);
    }
    return decision;
}

} // namespace hive::controller
