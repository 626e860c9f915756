// Commands from their first sending to their end.
#include "orchestrator/step.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::orchestrator {
namespace {

// Receivers tell by the time which of two signals is the newer one.
wire::Envelope
signal_of(Step& step, const wire::Scope& target, wire::Attempt attempt, wire::Signal signal) {
    State& state = step.state;
    state.last_sent = std::max(step.moment.wall, state.last_sent + Duration{1});
    auto sender = step.sender();
    sender.at = state.last_sent;
    return wire::Envelope::signal(std::move(sender), target, std::move(attempt), std::move(signal));
}

} // namespace

Duration time_for(const Settings& settings, wire::Command command) {
    switch (command) {
    case wire::Command::swarm_start: return settings.start_within;
    case wire::Command::swarm_stop: return settings.stop_within;
    case wire::Command::swarm_remove: return settings.remove_within;
    case wire::Command::config_update: return settings.config_within;
    default: return settings.ready_within;
    }
}

bool is_attempt_of(const Tracked& tracked, const std::string& correlation) {
    return std::ranges::find(tracked.correlations, correlation) != tracked.correlations.end();
}

void send_attempt(Step& step, Tracked& tracked) {
    const bool first = tracked.correlations.empty() && !tracked.first.empty();
    auto id = first ? tracked.first : fmt::format("{}-{}", step.state.life, step.state.next_id++);
    send_signal(step, tracked.target, {id, tracked.key}, {tracked.command, tracked.data});
    tracked.correlations.push_back(std::move(id));
    tracked.sent_at = step.moment.now;
}

void send_again_if_due(Step& step, Tracked& tracked) {
    if (tracked.reacted || step.moment.now - tracked.sent_at < step.settings.send_again) return;
    send_attempt(step, tracked);
}

void send_signal(
    Step& step, const wire::Scope& target, wire::Attempt attempt, wire::Signal signal) {
    auto envelope = signal_of(step, target, std::move(attempt), std::move(signal));
    if (auto entry = entry_of(envelope)) record(step, *std::move(entry));
    step.out.emplace_back(Publish{std::move(envelope)});
}

void send_untracked(Step& step, const wire::Scope& target, wire::Signal signal) {
    const auto id = fmt::format("{}-{}", step.state.life, step.state.next_id++);
    step.out.emplace_back(Publish{signal_of(step, target, {id, id}, std::move(signal))});
}

void record(Step& step, JournalEntry entry) {
    if (const auto id = SwarmId::parse(entry.swarm); id && entry.run.empty()) {
        const auto known = step.state.swarms.find(*id);
        if (known != step.state.swarms.end()) entry.run = known->second.run;
    }
    step.out.emplace_back(Record{std::move(entry)});
}

void enter(Step& step, Swarm& swarm, Phase phase, const std::string& why) {
    if (swarm.phase == phase) return;
    json::object data{{"from", name_of(swarm.phase)}, {"to", name_of(phase)}};
    if (!why.empty()) data["reason"] = why;
    record(
        step, {.at = step.moment.wall,
               .severity = phase == Phase::failed ? Severity::error : Severity::info,
               .swarm = swarm.id.text(),
               .kind = "transition",
               .type = std::string{name_of(phase)},
               .origin = step.sender().origin.text(),
               .data = std::move(data)});
    swarm.phase = phase;
    step.save(swarm);
}

} // namespace hive::orchestrator
