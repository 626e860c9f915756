// Gates: which command is taken on, joined to one under way, or refused without side effect.
#include "controller/step.hpp"

#include <algorithm>

namespace hive::controller {
namespace {

using Verb = wire::Command;

constexpr std::size_t answered_max = 1024;

bool is_repeated(State& state, const std::string& id) {
    if (std::ranges::find(state.answered, id) != state.answered.end()) return true;
    state.answered.push_back(id);
    if (state.answered.size() > answered_max) state.answered.pop_front();
    return false;
}

// Queues may deliver out of order; an older order must not undo a newer one.
bool is_overtaken(State& state, const wire::Envelope& signal) {
    auto [known, first] = state.newest.emplace(signal.sender.origin.text(), signal.sender.at);
    if (first) return false;
    if (signal.sender.at <= known->second) return true;
    known->second = signal.sender.at;
    return false;
}

void refuse(Step& step, Verb command, const wire::Attempt& attempt, bool overtaken = false) {
    step.refused = true;
    auto flags = gating_flags(step.state);
    if (overtaken) flags["overtaken"] = true;
    // Not taken on: whoever waits for a first reaction goes on asking.
    if (step.state.accepted == attempt.correlation_id) step.state.accepted.clear();
    answer(step, attempt, wire::Outcome::not_ready(command, std::move(flags)));
}

bool flag(const json::object& flags, std::string_view name) {
    return flags.at(name).get_bool();
}

bool may_start(const State& state) {
    const auto flags = gating_flags(state);
    if (!flag(flags, "initialized") || !flag(flags, "ready")) return false;
    switch (state.phase) {
    case Phase::starting: return true;
    case Phase::ready:
    case Phase::running:
    case Phase::stopped:
    case Phase::failed: return !flag(flags, "pendingConfigUpdates");
    default: return false;
    }
}

// A swarm that cannot be stopped because one bee is unwell would be a trap, so what is pending does
// not matter here.
bool may_stop(const State& state) {
    switch (state.phase) {
    case Phase::starting:
    case Phase::running:
    case Phase::stopping:
    case Phase::stopped: return true;
    case Phase::failed: return state.planned && !state.bees.empty();
    default: return false;
    }
}

bool may_apply_template(const State& state, const json::object& text) {
    switch (state.phase) {
    case Phase::empty:
    case Phase::failed: return true;
    case Phase::starting: // Ready would be untrue
    case Phase::running:
    case Phase::stopping:
    case Phase::removing:
    case Phase::removed: return false;
    default: return state.template_text == text;
    }
}

void on_template(Step& step, const wire::Envelope& signal, const wire::Attempt& attempt) {
    State& state = step.state;
    const auto& text = std::get<wire::Signal>(signal.body).data;
    if (!may_apply_template(state, text)) return refuse(step, Verb::swarm_template, attempt);
    if (state.phase != Phase::empty && state.phase != Phase::failed &&
        state.phase != Phase::provisioning) {
        return answer(
            step, attempt, wire::Outcome::succeeded(Verb::swarm_template, gating_flags(state)));
    }
    if (state.phase != Phase::provisioning) {
        auto layout = read_template(state.swarm, text);
        if (!layout) {
            return answer_failed(
                step, {.command = Verb::swarm_template, .attempts = {attempt}},
                {layout.error().detail});
        }
        state.template_text = text;
        state.layout = *std::move(layout);
    }
    begin(step, Verb::swarm_template, attempt);
}

// A timeline, and the traffic policy beside it.
Status take_plan(State& state, const json::object& text) {
    json::object timeline = text;
    timeline.erase("trafficPolicy");
    auto plan = plan::read_plan(timeline);
    if (!plan) return fail(plan.error());
    if (auto ok = check_targets(*plan, state); !ok) return ok;
    std::vector<GuardPost> guards;
    if (const auto* policy = text.if_contains("trafficPolicy")) {
        if (!policy->is_object()) return fail(Errc::invalid, "trafficPolicy: must be an object");
        auto read = read_guards(policy->get_object(), state.layout);
        if (!read) return fail(read.error());
        guards = *std::move(read);
    }
    state.timeline = plan::Timeline{*std::move(plan)};
    state.guards = std::move(guards);
    state.ramps_from.clear();
    state.plan = text;
    return {};
}

void on_plan(Step& step, const wire::Envelope& signal, const wire::Attempt& attempt) {
    if (step.state.phase >= Phase::removing) return refuse(step, Verb::swarm_plan, attempt);
    const json::object& text = std::get<wire::Signal>(signal.body).data;
    // The same plan again goes on where it is.
    if (!step.state.planned || text != step.state.plan) {
        release_guards(step);
        if (auto ok = take_plan(step.state, text); !ok) {
            return answer_failed(
                step, {.command = Verb::swarm_plan, .attempts = {attempt}}, {ok.error().detail});
        }
        step.changed = true;
    }
    step.state.planned = true;
    answer(step, attempt, wire::Outcome::succeeded(Verb::swarm_plan, gating_flags(step.state)));
}

// To this controller: pause or resume its own loops; the bees are left alone.
void on_own_config(Step& step, const json::object& patch, const wire::Attempt& attempt) {
    const auto* enabled = patch.if_contains("enabled");
    const bool resumes = enabled != nullptr && enabled->is_bool() && enabled->get_bool();
    // A pause that cannot be undone would be a trap, so a resume needs no open gate.
    const bool open = (step.state.phase == Phase::running && step.state.planned) ||
                      (resumes && step.state.paused && step.state.phase < Phase::removing);
    if (!open) return refuse(step, Verb::config_update, attempt);
    if (const auto* policy = patch.if_contains("trafficPolicy")) {
        const Status ok = policy->is_object()
                              ? patch_guards(step, policy->get_object())
                              : fail(Errc::invalid, "trafficPolicy: must be an object");
        if (!ok) {
            return answer_failed(
                step, {.command = Verb::config_update, .attempts = {attempt}}, {ok.error().detail});
        }
    }
    if (enabled != nullptr && enabled->is_bool()) step.state.paused = !resumes;
    step.changed = true;
    answer(
        step, attempt,
        wire::Outcome::applied(
            !step.state.paused,
            json::object{{"controller", json::object{{"enabled", !step.state.paused}}}}));
}

// To the whole swarm: the bees hear it too, but only their controller sees when all have it.
void on_swarm_config(Step& step, const json::object& patch, const wire::Attempt& attempt) {
    State& state = step.state;
    const bool initialised = flag(gating_flags(state), "initialized");
    const auto* enabled = patch.if_contains("enabled");
    const bool switches = enabled != nullptr && enabled->is_bool();
    if (!initialised || state.phase >= Phase::removing ||
        (switches && state.phase != Phase::running)) {
        return refuse(step, Verb::config_update, attempt);
    }
    for (Bee& bee : state.bees) {
        json::object config = patch;
        config.erase("enabled");
        json::value merged = bee.config;
        merge_patch(merged, config);
        bee.config = merged.as_object();
        if (switches) bee.wanted = enabled->get_bool();
        give(step, bee, patch);
        bee.asked_for.push_back(attempt.correlation_id);
    }
    state.configs.push_back({attempt, step.moment.now + step.settings.config_within});
}

void take(Step& step, const wire::Envelope& signal, const wire::Attempt& attempt) {
    const auto& body = std::get<wire::Signal>(signal.body);
    switch (body.command) {
    case Verb::swarm_template: return on_template(step, signal, attempt);
    case Verb::swarm_plan: return on_plan(step, signal, attempt);
    case Verb::swarm_start:
        if (!may_start(step.state)) return refuse(step, body.command, attempt);
        return begin(step, body.command, attempt);
    case Verb::swarm_stop:
        if (!may_stop(step.state)) return refuse(step, body.command, attempt);
        return begin(step, body.command, attempt);
    case Verb::swarm_remove: return begin(step, body.command, attempt);
    case Verb::config_update:
        if (wire::is_controller(signal.scope.role)) {
            return on_own_config(step, body.data, attempt);
        }
        return on_swarm_config(step, body.data, attempt);
    case Verb::swarm_create:
    case Verb::status_request: return;
    }
}

} // namespace

void hear_signal(Step& step, const wire::Envelope& signal) {
    const auto command = std::get<wire::Signal>(signal.body).command;
    // An earlier life may have answered; who sent it sees the new life and sends again.
    if (signal.sender.at < step.state.started_at) return;
    if (command == Verb::status_request) return say_full(step);
    const auto attempt = wire::attempt_of(signal);
    if (is_repeated(step.state, attempt.correlation_id)) return;
    if (is_overtaken(step.state, signal)) return refuse(step, command, attempt, true);
    step.state.accepted = attempt.correlation_id;
    take(step, signal, attempt);
}

} // namespace hive::controller
