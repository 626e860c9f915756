// Desired and observed in, the next command of a swarm out.
#include "orchestrator/step.hpp"

#include <fmt/format.h>

namespace hive::orchestrator {
namespace {

using Verb = wire::Command;

bool is_one_of(std::string_view status, std::initializer_list<std::string_view> some) {
    for (const auto one : some) {
        if (status == one) return true;
    }
    return false;
}

// What a controller in this state must be told next for the wish to come true.
std::optional<Verb> next_command(const Swarm& swarm) {
    if (swarm.wish == Wish::removed) return Verb::swarm_remove;
    if (swarm.halted || !swarm.observed) return std::nullopt;
    const auto& status = swarm.observed->status;
    if (is_one_of(status, {"New", "Creating"})) return Verb::swarm_template;
    if (is_one_of(status, {"Removing", "Removed"})) return std::nullopt;
    if (!swarm.observed->initialised) {
        return status == "Failed" ? Verb::swarm_template : Verb::swarm_plan;
    }
    if (!swarm.create.decided) return std::nullopt; // the outcome comes first
    if (swarm.asked) return verb_of(swarm.wish);
    if (swarm.wish == Wish::running && is_one_of(status, {"Ready", "Stopped", "Failed"})) {
        return Verb::swarm_start;
    }
    if (swarm.wish == Wish::stopped && is_one_of(status, {"Running", "Starting", "Failed"})) {
        return Verb::swarm_stop;
    }
    return std::nullopt;
}

json::object data_of(const Swarm& swarm, Verb command) {
    if (command == Verb::swarm_template) return swarm.text;
    if (command == Verb::swarm_plan) return swarm.plan;
    return {};
}

void track(Step& step, Swarm& swarm, Verb command) {
    Tracked tracked{
        .command = command,
        .target = {swarm.id, wire::controller_role(), swarm.marshal},
        .data = data_of(swarm, command),
        .key = fmt::format("{}-{}", step.state.life, step.state.next_id++),
        .deadline = step.moment.now + time_for(step.settings, command)};
    if (swarm.asked && command == verb_of(swarm.wish)) {
        tracked.first = swarm.asked->correlation_id;
        tracked.key = swarm.asked->idempotency_key.value_or(tracked.key);
        for (Ask& ask : swarm.asks) {
            if (ask.attempt.correlation_id == tracked.first) ask.sent = true;
        }
        swarm.asked.reset();
    }
    send_attempt(step, tracked);
    swarm.command = std::move(tracked);
}

void give_up(Step& step, Swarm& swarm) {
    const auto command = swarm.command->command;
    const auto reason = fmt::format("{} timed out", name_of(command));
    // Who took it on answers it; who was never heard of does not.
    const bool unheard = !swarm.command->reacted;
    swarm.command.reset();
    end_asks(step, swarm, command, {.reason = reason, .unheard = unheard});
    halt(step, swarm, reason);
}

// The controller has removed what it knows. What a dead one left behind is removed from here.
void sweep(Step& step, Swarm& swarm) {
    if (swarm.sweep == Sweep::none || step.moment.now < swarm.sweep_again) return;
    swarm.sweep_again = step.moment.now + step.settings.send_again;
    if (swarm.sweep == Sweep::components) {
        step.out.emplace_back(RemoveComponents{swarm.id});
    } else {
        step.out.emplace_back(RemoveObjects{swarm.id, swarm.text, swarm.marshal});
    }
}

Phase phase_of(const Swarm& swarm) {
    const auto& status = swarm.observed->status;
    if (status == "Running") return Phase::running;
    if (status == "Starting") return Phase::starting;
    if (status == "Stopping") return Phase::stopping;
    if (status == "Stopped") return Phase::stopped;
    if (status == "Failed") return Phase::failed;
    if (status == "Ready" && swarm.observed->initialised) return Phase::ready;
    return Phase::creating;
}

void follow(Step& step, Swarm& swarm) {
    if (!swarm.observed) return;
    const Phase seen = phase_of(swarm);
    const bool up = seen != Phase::creating && seen != Phase::failed;
    if (!swarm.create.decided && up) {
        decide_creation(step, swarm, wire::OutcomeStatus::ready, "");
    }
    const bool as_wished = (swarm.wish == Wish::running && seen == Phase::running) ||
                           (swarm.wish == Wish::stopped && seen == Phase::stopped);
    if (as_wished) swarm.halted = false;
    if (!swarm.halted || as_wished) enter(step, swarm, seen);
}

void reconcile_removal(Step& step, Swarm& swarm) {
    enter(step, swarm, Phase::removing);
    if (!swarm.create.decided) {
        decide_creation(step, swarm, wire::OutcomeStatus::failed, "removed before it was ready");
    }
    if (swarm.sweep != Sweep::none) return sweep(step, swarm);
    drop_configs(step, swarm.id);
    if (swarm.command && swarm.command->command != Verb::swarm_remove) swarm.command.reset();
    const bool never_came = step.moment.now - swarm.wished_at >= step.settings.remove_within;
    if (!swarm.launched || never_came) {
        swarm.sweep = Sweep::components;
        return sweep(step, swarm);
    }
    if (!swarm.command && swarm.observed) track(step, swarm, Verb::swarm_remove);
    if (swarm.command) send_again_if_due(step, *swarm.command);
}

// A controller without a template can only be given one; one that has it needs no other.
void forget_if_pointless(Swarm& swarm) {
    if (!swarm.command || !swarm.observed) return;
    const bool gives_template = swarm.command->command == Verb::swarm_template;
    const bool pointless =
        gives_template ? swarm.observed->initialised : swarm.observed->status == "New";
    if (pointless) swarm.command.reset();
}

void announce_creation(Step& step, Swarm& swarm) {
    const Creation& create = swarm.create;
    if (!create.decided || create.announced || step.moment.now < swarm.ask_again) return;
    swarm.ask_again = step.moment.now + step.settings.send_again;
    auto sender = step.sender();
    sender.at = create.decided_at;
    auto outcome =
        *create.decided == wire::OutcomeStatus::ready
            ? wire::Outcome::succeeded(Verb::swarm_create)
            : wire::Outcome::failed(Verb::swarm_create, json::object{{"reason", create.reason}});
    step.out.emplace_back(AnnounceCreated{
        swarm.id, wire::Envelope::outcome(
                      std::move(sender), {swarm.id, wire::orchestrator_role(), step.state.instance},
                      create.attempt, std::move(outcome))});
}

// A wish may come true without its command: a controller that starts anew has stopped every bee.
void settle(Step& step, Swarm& swarm) {
    if (swarm.asks.empty() || swarm.command || swarm.asked || !swarm.observed) return;
    const auto& observed = *swarm.observed;
    const bool idle =
        observed.status == "Stopped" || (observed.status == "Ready" && observed.initialised);
    if (swarm.wish == Wish::running && observed.status == "Running") {
        end_asks(
            step, swarm, Verb::swarm_start, {.status = wire::OutcomeStatus::running, .reason = {}});
    } else if (swarm.wish == Wish::stopped && idle) {
        end_asks(
            step, swarm, Verb::swarm_stop, {.status = wire::OutcomeStatus::stopped, .reason = {}});
    }
}

void fail_if_late(Step& step, Swarm& swarm) {
    const bool late = step.moment.now - swarm.wished_at >= step.settings.ready_within;
    if (swarm.create.decided || !late) return;
    const auto reason = swarm.observed ? "the swarm was not ready in time"
                                       : std::string_view{"the controller never reported"};
    halt(
        step, swarm,
        swarm.trouble.empty() ? std::string{reason} : fmt::format("{}: {}", reason, swarm.trouble));
}

} // namespace

void halt(Step& step, Swarm& swarm, const std::string& reason) {
    swarm.halted = true;
    swarm.asked.reset();
    swarm.command.reset();
    swarm.trouble = reason;
    if (!swarm.create.decided) {
        decide_creation(step, swarm, wire::OutcomeStatus::failed, reason);
    }
    enter(step, swarm, Phase::failed, reason);
    step.save(swarm); // it may have failed before, but not halted
    end_asks(step, swarm, std::nullopt, {.status = wire::OutcomeStatus::failed, .reason = reason});
}

void decide_creation(Step& step, Swarm& swarm, wire::OutcomeStatus status, std::string reason) {
    swarm.create.decided = status;
    swarm.create.decided_at = step.moment.wall;
    step.save(swarm);
    if (status == wire::OutcomeStatus::failed) {
        step.out.emplace_back(Publish{wire::Envelope::alert(
            step.sender(), {swarm.id, wire::orchestrator_role(), step.state.instance},
            {.code = "swarm.create-failed",
             .message = reason.empty() ? std::string{"the swarm could not be created"} : reason,
             .context = json::object{
                 {"phase", "swarm-create"},
                 {"correlationId", swarm.create.attempt.correlation_id}}})});
    }
    swarm.create.reason = reason;
    end_ask(
        step, {.asked = swarm.create.attempt,
               .swarm = swarm.id,
               .command = Verb::swarm_create,
               .status = status,
               .reason = std::move(reason)});
}

void reconcile(Step& step, Swarm& swarm) {
    if (swarm.phase == Phase::removed) return announce_creation(step, swarm);
    if (swarm.wish == Wish::removed) {
        reconcile_removal(step, swarm);
        return announce_creation(step, swarm);
    }
    launch_if_due(step, swarm);
    follow(step, swarm);
    if (swarm.command && step.moment.now >= swarm.command->deadline) give_up(step, swarm);
    fail_if_late(step, swarm);
    announce_creation(step, swarm);
    forget_if_pointless(swarm);
    if (!swarm.command) {
        if (const auto next = next_command(swarm)) track(step, swarm, *next);
    } else {
        send_again_if_due(step, *swarm.command);
    }
    settle(step, swarm);
}

} // namespace hive::orchestrator
