// The marshal and its bees: what each is told until it acknowledges, and whether it is heard.
#include "controller/step.hpp"

#include <algorithm>

namespace hive::controller {
namespace {

wire::Scope scope_of(const Step& step, const Bee& bee) {
    return {step.state.swarm, bee.spec.role, bee.spec.instance};
}

void send(Step& step, Bee& bee) {
    bee.sent.push_back(
        send_signal(step, scope_of(step, bee), wire::Signal::config_update(bee.message)));
    bee.sent_at = step.moment.now;
}

void ask(Step& step, Bee& bee) {
    bee.asked_as = send_signal(step, scope_of(step, bee), wire::Signal::status_request());
    bee.asked_at = step.moment.now;
}

void heartbeat(Step& step, Bee& bee) {
    if (bee.contact == Contact::stale) {
        alert(
            step, wire::AlertLevel::info, "worker.recovered",
            bee.spec.instance.text() + " reports again");
    }
    step.changed = step.changed || bee.contact != Contact::fresh;
    bee.contact = Contact::fresh;
    bee.heard_at = step.moment.now;
    bee.launched = true;
    bee.gone = false;
    bee.trouble.clear();
}

// What it refused is no longer wanted of it; what else the message said is said again.
void take_refusal(Step& step, Bee& bee, const std::string& reason) {
    const auto asked_for = std::exchange(bee.asked_for, {});
    note_error(step, bee, reason, asked_for.empty() ? bee.refused : asked_for.back());
    step.changed = true;
    const bool worked = bee.applied && *bee.applied != bee.config;
    if (bee.applied) bee.config = *bee.applied;
    if (bee.initialised) {
        bee.message = {{"enabled", bee.wanted}};
        bee.sent.clear();
        bee.acknowledged = bee.enabled == bee.wanted;
        if (!bee.acknowledged) send(step, bee);
    } else if (worked) {
        bootstrap(step, bee); // with what it took before
    } else {
        // Without its first configuration a bee is of no use.
        bee.useless = "refused its configuration: " + reason;
    }
    const Failure failure{bee.spec.instance.text() + ": " + reason};
    // Those that are part of what it refused; others go on.
    std::erase_if(step.state.configs, [&](const PendingConfig& pending) {
        const auto& id = pending.attempt.correlation_id;
        if (std::ranges::find(asked_for, id) == asked_for.end()) return false;
        answer_failed(
            step, {.command = wire::Command::config_update, .attempts = {pending.attempt}},
            failure);
        return true;
    });
}

// `configError` of a status says which config-update the bee refused, and why. True: there is
// nothing else to learn from this status.
bool take_config_error(Step& step, Bee& bee, const json::object& context) {
    const auto* error = context.if_contains("configError");
    if (error == nullptr || !error->is_object()) return false;
    const auto* id = error->get_object().if_contains("correlationId");
    const auto* reason = error->get_object().if_contains("reason");
    if (id == nullptr || !id->is_string() || reason == nullptr || !reason->is_string()) {
        return false;
    }
    const std::string refused{id->get_string()};
    if (bee.acknowledged || std::ranges::find(bee.sent, refused) == bee.sent.end()) return false;
    if (std::exchange(bee.refused, refused) != refused) {
        take_refusal(step, bee, std::string{reason->get_string()});
    }
    bee.trouble = bee.useless;
    return true;
}

// Whoever turned it on: no bee runs while its swarm does not.
void keep_idle(Step& step, Bee& bee) {
    if (!bee.acknowledged || !bee.enabled || bee.wanted) return;
    if (step.state.phase != Phase::running) want(step, bee, false);
}

void take_acknowledgement(Step& step, Bee& bee, std::string_view last, bool announced) {
    if (last.empty()) {
        // It has just started and knows nothing.
        if (bee.initialised || bee.sent.empty() || announced) bootstrap(step, bee);
        return;
    }
    const bool ours = std::ranges::find(bee.sent, last) != bee.sent.end();
    if (bee.acknowledged || !ours || bee.enabled != bee.wanted) return;
    bee.acknowledged = true;
    bee.asked_for.clear();
    bee.initialised = true;
    bee.applied = bee.config;
    step.changed = true;
}

// A bee that starts anew may be configured by others before its controller hears of it.
bool is_new_life(Bee& bee, const wire::StatusFull& full) {
    const bool known = bee.started_at != Timestamp{};
    return std::exchange(bee.started_at, full.started_at) != full.started_at && known;
}

// A bee may be configured by others; what it says then is what it is to get back after a restart.
void adopt_config(Step& step, Bee& bee, const wire::StatusFull& full, std::string_view last) {
    bee.full_for = last;
    if (!bee.acknowledged || last.empty()) return;
    bee.config = full.config;
    bee.applied = full.config;
    if (bee.enabled == bee.wanted || step.state.phase != Phase::running) return;
    bee.wanted = bee.enabled;
}

// Its bees are being ended: nobody listens any more.
bool is_leaving(const State& state) {
    return state.phase == Phase::removed ||
           (state.phase == Phase::removing && state.removal != Removal::workload);
}

} // namespace

Bee* find_bee(State& state, std::string_view instance) {
    const auto found = std::ranges::find_if(
        state.bees, [&](const Bee& bee) { return bee.spec.instance.text() == instance; });
    return found == state.bees.end() ? nullptr : &*found;
}

void give(Step& step, Bee& bee, const json::object& patch) {
    json::value message = bee.acknowledged ? json::object{} : bee.message;
    for (const auto& [key, value] : patch) {
        // A null is kept: it tells the bee to drop the member.
        if (value.is_object()) {
            merge_patch(message.as_object()[key], value);
        } else {
            message.as_object()[key] = value;
        }
    }
    bee.message = message.as_object();
    bee.message["enabled"] = bee.wanted;
    bee.sent.clear();
    bee.acknowledged = false;
    send(step, bee);
}

void want(Step& step, Bee& bee, bool enabled) {
    bee.wanted = enabled;
    give(step, bee, {{"enabled", enabled}});
}

void prepare_bootstrap(Step& step, Bee& bee) {
    bee.initialised = false;
    bee.acknowledged = false;
    bee.useless.clear();
    bee.message = bee.config;
    bee.message["enabled"] = bee.wanted;
    bee.sent.clear();
    bee.sent_at = step.moment.now;
    step.changed = true;
}

void bootstrap(Step& step, Bee& bee) {
    prepare_bootstrap(step, bee);
    send(step, bee);
}

void hear_status(Step& step, const wire::Envelope& status) {
    if (!status.scope.instance.id()) return;
    Bee* bee = find_bee(step.state, status.scope.instance.text());
    if (bee == nullptr || status.sender.at <= bee->said_at) return;
    const auto* full = std::get_if<wire::StatusFull>(&status.body);
    const auto* delta = std::get_if<wire::StatusDelta>(&status.body);
    if (full == nullptr && delta == nullptr) return;
    bee->said_at = status.sender.at;
    heartbeat(step, *bee);
    bee->enabled = full != nullptr ? full->enabled : delta->enabled;
    bee->tps = (full != nullptr ? full->tps : delta->tps).value_or(0);
    const auto& context = full != nullptr ? full->context : delta->context;
    const auto* last = context ? context->if_contains("lastConfig") : nullptr;
    const std::string id{
        last != nullptr && last->is_string() ? std::string_view{last->get_string()} : ""};
    if (full != nullptr && is_new_life(*bee, *full)) return bootstrap(step, *bee);
    if (context && take_config_error(step, *bee, *context)) return;
    // A full status that tells of a refusal is no first word, though nothing is configured yet.
    const bool first = full != nullptr && !(context && context->contains("configError"));
    take_acknowledgement(step, *bee, id, first);
    keep_idle(step, *bee);
    if (full != nullptr) {
        adopt_config(step, *bee, *full, id);
    } else if (bee->full_for != id && step.moment.now - bee->asked_at >= step.settings.send_again) {
        ask(step, *bee);
    }
}

void send_unacknowledged(Step& step) {
    if (is_leaving(step.state)) return;
    for (Bee& bee : step.state.bees) {
        if (bee.acknowledged || !bee.launched || !bee.trouble.empty()) continue;
        if (step.moment.now - bee.sent_at >= step.settings.send_again) send(step, bee);
    }
}

void watch_bees(Step& step) {
    if (is_leaving(step.state)) return;
    for (Bee& bee : step.state.bees) {
        const bool silent = step.moment.now - bee.heard_at >= step.settings.silent_after;
        if (bee.contact == Contact::fresh && silent) {
            bee.contact = Contact::asked;
            ask(step, bee);
        } else if (
            bee.contact == Contact::asked &&
            step.moment.now - bee.asked_at >= step.settings.stale_after) {
            bee.contact = Contact::stale;
            step.changed = true;
            note_error(step, bee, "silent", bee.asked_as);
            alert(
                step, wire::AlertLevel::warn, "worker.stale",
                bee.spec.instance.text() + " does not report its status");
        }
    }
}

} // namespace hive::controller
