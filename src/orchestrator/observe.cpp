// What controllers report: aggregates, outcomes, alerts.
#include "orchestrator/step.hpp"

#include <algorithm>

namespace hive::orchestrator {
namespace {

std::string text_of(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? value->get_string().c_str() : "";
}

bool flag_of(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_bool() && value->get_bool();
}

std::vector<KnownBee> bees_of(const json::object& context) {
    std::vector<KnownBee> bees;
    const auto* workers = context.if_contains("workers");
    if (workers == nullptr || !workers->is_array()) return bees;
    for (const json::value& worker : workers->get_array()) {
        if (!worker.is_object()) continue;
        auto role = Role::parse(text_of(worker.get_object(), "role"));
        auto instance = InstanceId::parse(text_of(worker.get_object(), "instance"));
        if (role && instance) bees.push_back({*std::move(role), *std::move(instance)});
    }
    return bees;
}

// A controller that starts anew has forgotten every command. What was sent to the former one
// has no end of its own any more; reconcile() sends what is still needed.
void notice_new_life(Swarm& swarm, const std::string& life) {
    if (swarm.observed && swarm.observed->life != life) swarm.command.reset();
}

void hear_status(Step& step, const wire::Envelope& envelope, const json::object& context) {
    const auto& id = envelope.scope.swarm.id();
    const auto found = id ? step.state.swarms.find(*id) : step.state.swarms.end();
    if (found == step.state.swarms.end()) return;
    Swarm& swarm = found->second;
    // A swarm that was removed may have had this name; its words may still be under way.
    if (envelope.sender.at < swarm.created_at || swarm.phase == Phase::removed) return;
    if (swarm.observed && envelope.sender.at < swarm.observed->said_at) return;
    marshal_heard(step, swarm);
    Observed observed{
        .life = text_of(context, "life"),
        .status = text_of(context, "swarmStatus"),
        .accepted = text_of(context, "accepted"),
        .health = text_of(context, "health"),
        .initialised = flag_of(context, "initialized"),
        .pending = flag_of(context, "pendingConfigUpdates"),
        .said_at = envelope.sender.at,
        .heard_at = step.moment.now,
        .bees = bees_of(context)};
    if (!context.contains("workers") && swarm.observed) {
        observed.bees = std::move(swarm.observed->bees);
    }
    notice_new_life(swarm, observed.life);
    if (swarm.observed && swarm.observed->health != observed.health) {
        record(
            step, {.at = envelope.sender.at,
                   .swarm = swarm.id.text(),
                   .kind = "transition",
                   .type = observed.health,
                   .origin = envelope.sender.origin.text()});
    }
    if (swarm.command && is_attempt_of(*swarm.command, observed.accepted)) {
        swarm.command->reacted = true;
    }
    config_accepted(step, observed.accepted);
    swarm.observed = std::move(observed);
}

// Statuses are easily lost. What an outcome says about the swarm is as good, and without it the
// command that has just ended would seem to be needed still.
void learn_from_outcome(Swarm& swarm, Timestamp said_at, const json::object& context) {
    if (!swarm.observed || said_at < swarm.observed->said_at) return;
    if (!context.contains("swarmStatus")) return;
    swarm.observed->status = text_of(context, "swarmStatus");
    swarm.observed->initialised = flag_of(context, "initialized");
    swarm.observed->pending = flag_of(context, "pendingConfigUpdates");
    swarm.observed->said_at = said_at;
}

void command_ended(Step& step, Swarm& swarm, const wire::Outcome& outcome) {
    Tracked& tracked = *swarm.command;
    const auto command = tracked.command;
    End end{.status = outcome.status, .context = outcome.context.value_or(json::object{})};
    if (outcome.status == wire::OutcomeStatus::not_ready) {
        tracked.reacted = false; // the gate may open: the next attempt asks again
        const bool idle = text_of(end.context, "swarmStatus") == "Ready";
        if (!idle || command != wire::Command::swarm_stop) return;
        swarm.command.reset();
        end.reason = "the swarm was not running";
        return end_asks(step, swarm, command, end);
    }
    swarm.command.reset();
    if (command == wire::Command::swarm_remove) {
        if (outcome.status == wire::OutcomeStatus::removed) swarm.sweep = Sweep::components;
        return;
    }
    if (outcome.status != wire::OutcomeStatus::failed) {
        return end_asks(step, swarm, command, end);
    }
    end.reason = text_of(end.context, "reason");
    end_asks(step, swarm, command, end);
    halt(step, swarm, end.reason);
}

void hear_outcome(Step& step, const wire::Envelope& envelope, const wire::Outcome& outcome) {
    const auto& correlation = envelope.correlation_id.value();
    if (outcome.command == wire::Command::config_update) {
        config_answered(step, envelope, outcome);
    }
    const auto& id = envelope.scope.swarm.id();
    const auto found = id ? step.state.swarms.find(*id) : step.state.swarms.end();
    if (found == step.state.swarms.end()) return;
    Swarm& swarm = found->second;
    if (outcome.context && wire::is_controller(envelope.scope.role)) {
        learn_from_outcome(swarm, envelope.sender.at, *outcome.context);
    }
    for (Ask& ask : swarm.asks) {
        if (ask.attempt.correlation_id == correlation) ask.answered = true;
    }
    if (swarm.command && is_attempt_of(*swarm.command, correlation)) {
        command_ended(step, swarm, outcome);
    }
}

} // namespace

void hear(Step& step, const wire::Envelope& envelope) {
    if (auto entry = entry_of(envelope)) record(step, *std::move(entry));
    if (const auto* outcome = std::get_if<wire::Outcome>(&envelope.body)) {
        return hear_outcome(step, envelope, *outcome);
    }
    if (const auto* full = std::get_if<wire::StatusFull>(&envelope.body)) {
        return hear_status(step, envelope, full->context.value_or(json::object{}));
    }
    if (const auto* delta = std::get_if<wire::StatusDelta>(&envelope.body)) {
        return hear_status(step, envelope, delta->context.value_or(json::object{}));
    }
}

} // namespace hive::orchestrator
