#include "orchestrator/decide.hpp"

#include "kernel/overloaded.hpp"
#include "orchestrator/step.hpp"

#include <algorithm>
#include <utility>

namespace hive::orchestrator {
namespace {

using SwarmMap = std::map<SwarmId, Swarm>;

Swarm* find_swarm(Step& step, const SwarmId& id) {
    const auto known = step.state.swarms.find(id);
    return known == step.state.swarms.end() ? nullptr : &known->second;
}

void on_restart(Step& step, const std::vector<AskRecord>& open) {
    for (auto& [id, swarm] : step.state.swarms) {
        swarm.wished_at = step.moment.now;
        swarm.removed_at = step.moment.now;
        // Asked for again, because nobody remembers whether the runtime heard it the first time.
        if (swarm.phase == Phase::removed) continue;
        swarm.launched = true;
        swarm.launched_at = step.moment.now;
        swarm.contact_at = step.moment.now;
        step.out.emplace_back(LaunchMarshal{id, swarm.marshal});
    }
    for (const AskRecord& record : open) track_again(step, record);
    send_untracked(step, {.role = wire::controller_role()}, wire::Signal::status_request());
}

bool may_forget(const Swarm& swarm) {
    return swarm.phase == Phase::removed && swarm.create.announced;
}

SwarmMap::iterator forget(Step& step, SwarmMap::iterator swarm) {
    step.out.emplace_back(Forget{swarm->first});
    return step.state.swarms.erase(swarm);
}

// By time, and the oldest when they are too many.
void forget_removed(Step& step) {
    std::vector<std::pair<TimePoint, SwarmId>> kept;
    for (auto swarm = step.state.swarms.begin(); swarm != step.state.swarms.end();) {
        const bool old = step.moment.now - swarm->second.removed_at >= step.settings.forget_after;
        if (may_forget(swarm->second) && old) {
            swarm = forget(step, swarm);
            continue;
        }
        if (may_forget(swarm->second)) kept.emplace_back(swarm->second.removed_at, swarm->first);
        ++swarm;
    }
    if (kept.size() <= step.settings.removed_kept) return;
    std::ranges::sort(kept);
    kept.erase(kept.end() - static_cast<std::ptrdiff_t>(step.settings.removed_kept), kept.end());
    for (const auto& [when, id] : kept) forget(step, step.state.swarms.find(id));
}

void on_tick(Step& step) {
    watch_configs(step);
    for (auto& [id, swarm] : step.state.swarms) {
        watch_marshal(step, swarm);
        reconcile(step, swarm);
        end_late_asks(step, swarm);
    }
    forget_removed(step);
}

void components_gone(Step& step, Swarm& swarm) {
    if (swarm.sweep != Sweep::components) return;
    swarm.sweep = Sweep::objects;
    swarm.sweep_again = step.moment.now;
}

void objects_gone(Step& step, Swarm& swarm) {
    if (swarm.sweep != Sweep::objects) return;
    swarm.sweep = Sweep::none;
    swarm.command.reset();
    swarm.removed_at = step.moment.now;
    enter(step, swarm, Phase::removed);
    end_asks(step, swarm, std::nullopt, {.status = wire::OutcomeStatus::removed});
}

void outcome_safe(Step& step, Swarm& swarm) {
    if (std::exchange(swarm.create.announced, true)) return;
    step.save(swarm);
}

void dispatch(Step& step, const Event& event) {
    const auto with = [&](const SwarmId& id, auto&& action) {
        if (Swarm* swarm = find_swarm(step, id)) action(*swarm);
    };
    std::visit(
        overloaded{
            [&](const Restarted& restarted) { on_restart(step, restarted.open); },
            [&](const CreateAsked& asked) { on_create(step, asked); },
            [&](const WishAsked& asked) { on_wish(step, asked); },
            [&](const ConfigAsked& asked) { on_config(step, asked); },
            [&](const Heard& heard) { hear(step, heard.envelope); },
            [&](const MarshalFailed& failed) {
                with(failed.swarm, [&](Swarm& one) { marshal_failed(step, one, failed.reason); });
            },
            [&](const MarshalExited& exited) {
                with(exited.swarm, [&](Swarm& one) { marshal_exited(step, one, exited); });
            },
            [&](const ComponentsGone& gone) {
                with(gone.swarm, [&](Swarm& one) { components_gone(step, one); });
            },
            [&](const ObjectsGone& gone) {
                with(gone.swarm, [&](Swarm& one) { objects_gone(step, one); });
            },
            [&](const OutcomeSafe& safe) {
                with(safe.swarm, [&](Swarm& one) { outcome_safe(step, one); });
            },
            [&](const Tick&) { on_tick(step); },
        },
        event);
}

const SwarmId* subject_of(const Event& event) {
    return std::visit(
        overloaded{
            [](const Heard& heard) {
                const auto& id = heard.envelope.scope.swarm.id();
                return id ? &*id : nullptr;
            },
            [](const auto& about) -> const SwarmId* {
                if constexpr (requires { about.swarm; }) return &about.swarm;
                return nullptr;
            },
        },
        event);
}

} // namespace

Decision decide(State state, const Event& event, Moment moment, const Settings& settings) {
    Decision decision{.next = std::move(state)};
    Step step{decision.next, moment, settings, decision.commands};
    dispatch(step, event);
    // Thousands of swarms may be there: only the one that this is about, and on a tick all.
    if (const SwarmId* subject = subject_of(event)) {
        if (Swarm* swarm = find_swarm(step, *subject)) reconcile(step, *swarm);
    } else if (std::holds_alternative<Restarted>(event)) {
        for (auto& [id, swarm] : decision.next.swarms) reconcile(step, swarm);
    }
    return decision;
}

} // namespace hive::orchestrator
