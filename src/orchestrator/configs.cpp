// Config-updates: to whom they go, and one end for all who were meant.
#include "kernel/text.hpp"
#include "orchestrator/step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hive::orchestrator {
namespace {

using wire::OutcomeStatus;

bool turns_on(const json::object& patch) {
    const auto* enabled = patch.if_contains("enabled");
    return enabled != nullptr && enabled->is_bool() && enabled->get_bool();
}

bool is_removed(const Swarm& swarm) {
    return swarm.wish == Wish::removed || swarm.phase == Phase::removed;
}

// A controller is paused and resumed, and its guards are adjusted. What a guard may be told is
// judged by the controller, who knows which there are.
Status check_controller_patch(const json::object& patch) {
    for (const auto& [name, value] : patch) {
        if (name == "enabled" && value.is_bool()) continue;
        if (name == "trafficPolicy" && value.is_object() && !value.get_object().empty()) continue;
        if (name == "enabled") return fail(Errc::invalid, "enabled: must be true or false");
        if (name == "trafficPolicy") {
            return fail(
                Errc::invalid, "trafficPolicy: must be an object with bufferGuard or bufferGuards");
        }
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' is unknown; a controller takes 'enabled' and 'trafficPolicy'",
                               printable(name)));
    }
    if (!patch.empty()) return {};
    return fail(Errc::invalid, "a controller is told 'enabled', 'trafficPolicy' or both");
}

std::string known_bees(const Swarm& swarm) {
    std::vector<std::string_view> names;
    for (const KnownBee& bee : swarm.observed->bees) names.emplace_back(bee.instance.text());
    return fmt::format("{}", fmt::join(names, ", "));
}

// The bees of the swarm that `target` means; an error that names those there are.
Result<std::vector<wire::Scope>> bees_meant(const Swarm& swarm, const wire::Scope& target) {
    if (!swarm.observed || swarm.observed->bees.empty()) {
        return fail(Errc::conflict, state_sentence(swarm) + ", and its bees are not known yet");
    }
    std::vector<wire::Scope> meant;
    for (const KnownBee& bee : swarm.observed->bees) {
        const bool role = target.role.is_all() || target.role.id() == bee.role;
        const bool instance = target.instance.is_all() || target.instance.id() == bee.instance;
        if (role && instance) meant.push_back({swarm.id, bee.role, bee.instance});
    }
    if (!meant.empty()) return meant;
    return fail(
        Errc::not_found, target.instance.is_all()
                             ? fmt::format(
                                   "swarm '{}' has no bee with the role '{}'; there are {}",
                                   swarm.id.text(), target.role.text(), known_bees(swarm))
                             : fmt::format(
                                   "swarm '{}' has no bee '{}'; there are {}", swarm.id.text(),
                                   target.instance.text(), known_bees(swarm)));
}

Result<std::vector<wire::Scope>> controller_meant(const Swarm& swarm, const ConfigAsked& asked) {
    if (auto fits = check_controller_patch(asked.patch); !fits) return fail(fits.error());
    const auto& instance = asked.target.instance;
    if (instance.id() && *instance.id() != swarm.marshal) {
        return fail(
            Errc::not_found, fmt::format(
                                 "the controller of swarm '{}' is '{}', not '{}'", swarm.id.text(),
                                 swarm.marshal.text(), instance.text()));
    }
    return std::vector{wire::Scope{swarm.id, wire::controller_role(), swarm.marshal}};
}

Result<std::vector<wire::Scope>> meant_in(const Swarm& swarm, const ConfigAsked& asked) {
    const wire::Scope& target = asked.target;
    if (wire::is_controller(target.role)) return controller_meant(swarm, asked);
    if (target.role.is_all() && target.instance.is_all()) return std::vector{target};
    // One bee of a swarm that is stopped must not run.
    if (turns_on(asked.patch) && (swarm.phase != Phase::running || swarm.wish != Wish::running)) {
        return fail(Errc::conflict, state_sentence(swarm) + ", and its bees run only with it");
    }
    return bees_meant(swarm, target);
}

Result<std::vector<wire::Scope>> every_controller(const Step& step, const ConfigAsked& asked) {
    if (!wire::is_controller(asked.target.role) || !asked.target.instance.is_all()) {
        return fail(Errc::invalid, "only controllers are configured in all swarms at once");
    }
    if (auto fits = check_controller_patch(asked.patch); !fits) return fail(fits.error());
    std::vector<wire::Scope> meant;
    for (const auto& [id, swarm] : step.state.swarms) {
        if (is_removed(swarm)) continue;
        meant.push_back({id, wire::controller_role(), swarm.marshal});
    }
    if (meant.empty()) return fail(Errc::not_found, "there is no swarm");
    return meant;
}

Result<std::vector<wire::Scope>> all_meant(const Step& step, const ConfigAsked& asked) {
    if (asked.target.swarm.is_all()) return every_controller(step, asked);
    const auto known = step.state.swarms.find(*asked.target.swarm.id());
    if (known == step.state.swarms.end() || known->second.phase == Phase::removed) {
        return fail(
            Errc::not_found, fmt::format("there is no swarm '{}'", asked.target.swarm.text()));
    }
    if (is_removed(known->second)) return fail(Errc::conflict, state_sentence(known->second));
    return meant_in(known->second, asked);
}

ConfigOrder order_of(const Step& step, const AskRecord& record) {
    ConfigOrder order{
        .asked = record.attempt,
        .swarm = record.swarm,
        .deadline = step.moment.now + step.settings.config_within};
    for (const wire::Scope& target : record.targets) {
        order.parts.push_back(
            {.command = wire::Command::config_update,
             .target = target,
             .data = record.patch,
             .key = record.attempt.idempotency_key.value_or(record.attempt.correlation_id),
             .deadline = order.deadline});
    }
    return order;
}

// The first attempt carries the id that was asked with; to all controllers it is one message.
void send_first(Step& step, ConfigOrder& order, const ConfigAsked& asked) {
    const auto& id = asked.attempt.correlation_id;
    if (order.swarm.is_all()) {
        for (Tracked& part : order.parts) {
            part.correlations.push_back(id);
            part.sent_at = step.moment.now;
        }
        return send_signal(
            step, asked.target, {id, order.parts.front().key},
            wire::Signal::config_update(asked.patch));
    }
    order.parts.front().first = id;
    for (Tracked& part : order.parts) send_attempt(step, part);
}

bool is_answer_to(const Tracked& part, const wire::Envelope& envelope) {
    const auto& instance = part.target.instance;
    // One id may have gone to several.
    return is_attempt_of(part, envelope.correlation_id.value()) &&
           (instance.is_all() || instance == envelope.scope.instance);
}

bool was_overtaken(const wire::Outcome& outcome) {
    return outcome.status == OutcomeStatus::not_ready && outcome.context &&
           outcome.context->contains("overtaken");
}

int badness(OutcomeStatus status) {
    if (status == OutcomeStatus::failed) return 2;
    return status == OutcomeStatus::not_ready ? 1 : 0;
}

void take_answer(ConfigOrder& order, std::string_view who, const wire::Outcome& outcome) {
    json::object answer{{"status", name_of(outcome.status)}};
    if (outcome.enabled) answer["enabled"] = *outcome.enabled;
    if (outcome.context) {
        answer["context"] = *outcome.context;
        const auto* reason = outcome.context->if_contains("reason");
        if (reason != nullptr && reason->is_string() && order.reason.empty()) {
            order.reason = fmt::format("{}: {}", who, std::string_view{reason->get_string()});
        }
    }
    if (badness(outcome.status) > badness(order.status)) order.status = outcome.status;
    order.answers[who] = std::move(answer);
}

void end_order(Step& step, const ConfigOrder& order, End end) {
    end_ask(
        step, {.asked = order.asked,
               .swarm = order.swarm,
               .command = wire::Command::config_update,
               .status = end.status,
               .reason = std::move(end.reason),
               .context = json::object{{"answers", order.answers}}});
}

bool end_if_answered(Step& step, const ConfigOrder& order) {
    if (!order.parts.empty()) return false;
    end_order(step, order, {.status = order.status, .reason = order.reason});
    return true;
}

// Whether the id that was asked with was sent by this life; an earlier one may know its answer.
bool is_first_life(const ConfigOrder& order) {
    const auto& id = order.asked.correlation_id;
    return std::ranges::any_of(
        order.parts, [&](const Tracked& part) { return is_attempt_of(part, id); });
}

std::string silent_parts(const ConfigOrder& order) {
    std::vector<std::string> names;
    for (const Tracked& part : order.parts) {
        names.push_back(
            part.target.instance.is_all() ? to_text(part.target)
                                          : std::string{part.target.instance.text()});
    }
    return fmt::format("config-update timed out: no answer from {}", fmt::join(names, ", "));
}

} // namespace

void on_config(Step& step, const ConfigAsked& asked) {
    const auto meant = all_meant(step, asked);
    if (!meant) {
        return refuse(step, asked.attempt, meant.error().code, meant.error().detail);
    }
    note_request(
        step, {std::string{asked.target.swarm.text()}, "config-update", asked.attempt, asked.who});
    const AskRecord record{
        asked.attempt,
        wire::Command::config_update,
        asked.target.swarm,
        asked.who,
        step.moment.wall,
        asked.patch,
        *meant};
    step.keep(record);
    ConfigOrder order = order_of(step, record);
    send_first(step, order, asked);
    step.state.configs.push_back(std::move(order));
}

// Nobody remembers what was sent: all of it is said again, under new ids and the same key. Who
// applies a patch twice is as after the first time.
void track_config_again(Step& step, const AskRecord& record) {
    ConfigOrder order = order_of(step, record);
    std::erase_if(order.parts, [&](const Tracked& part) {
        const auto known = step.state.swarms.find(*part.target.swarm.id());
        if (known != step.state.swarms.end() && !is_removed(known->second)) return false;
        order.answers[part.target.swarm.text()] = "removed";
        return true;
    });
    if (order.parts.empty()) return end_order(step, order, {.reason = "the swarm was removed"});
    for (Tracked& part : order.parts) send_attempt(step, part);
    step.state.configs.push_back(std::move(order));
}

void config_answered(Step& step, const wire::Envelope& envelope, const wire::Outcome& outcome) {
    std::erase_if(step.state.configs, [&](ConfigOrder& order) {
        const auto part = std::ranges::find_if(
            order.parts, [&](const Tracked& each) { return is_answer_to(each, envelope); });
        if (part == order.parts.end()) return false;
        if (envelope.correlation_id == order.asked.correlation_id) order.answered = true;
        if (was_overtaken(outcome)) { // by another of ours: the next attempt is the newest
            part->reacted = false;
            return false;
        }
        take_answer(order, envelope.scope.instance.text(), outcome);
        order.parts.erase(part);
        return end_if_answered(step, order);
    });
}

void config_accepted(Step& step, const std::string& correlation) {
    for (ConfigOrder& order : step.state.configs) {
        if (order.swarm.is_all()) continue; // one id, several who accept it
        for (Tracked& part : order.parts) {
            if (is_attempt_of(part, correlation)) part.reacted = true;
        }
    }
}

void watch_configs(Step& step) {
    std::erase_if(step.state.configs, [&](const ConfigOrder& order) {
        if (step.moment.now < order.deadline) return false;
        const bool taken_on = std::ranges::any_of(order.parts, &Tracked::reacted);
        if (!order.answered && !taken_on && is_first_life(order)) {
            answer_ourselves(
                step, {.asked = order.asked,
                       .swarm = order.swarm,
                       .command = wire::Command::config_update,
                       .reason = silent_parts(order)});
        }
        end_order(step, order, {.reason = silent_parts(order)});
        return true;
    });
    for (ConfigOrder& order : step.state.configs) {
        for (Tracked& part : order.parts) send_again_if_due(step, part);
    }
}

void drop_configs(Step& step, const SwarmId& swarm) {
    std::erase_if(step.state.configs, [&](ConfigOrder& order) {
        const auto dropped = std::erase_if(
            order.parts, [&](const Tracked& part) { return part.target.swarm.id() == swarm; });
        if (dropped == 0) return false;
        order.answers[swarm.text()] = "removed";
        if (order.swarm.is_all()) return end_if_answered(step, order);
        end_order(step, order, {.reason = "the swarm is being removed"});
        return true;
    });
}

} // namespace hive::orchestrator
