// What the marshal says: outcomes, alerts and its own signals.
#include "controller/step.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace hive::controller {

std::string_view name_of(Phase phase) noexcept {
    switch (phase) {
    case Phase::empty: return "New";
    case Phase::provisioning: return "Creating";
    case Phase::ready: return "Ready";
    case Phase::starting: return "Starting";
    case Phase::running: return "Running";
    case Phase::stopping: return "Stopping";
    case Phase::stopped: return "Stopped";
    case Phase::failed: return "Failed";
    case Phase::removing: return "Removing";
    case Phase::removed: return "Removed";
    }
    std::abort();
}

bool all_acknowledged(const State& state) {
    // Who does not run has nothing pending: it is told everything when it is launched again.
    return std::ranges::all_of(
        state.bees, [](const Bee& bee) { return bee.acknowledged || bee.gone; });
}

json::object gating_flags(const State& state) {
    const bool settled = state.phase != Phase::provisioning && state.phase < Phase::removing;
    return {
        {"initialized", state.templated && state.planned},
        {"ready", state.templated && settled},
        {"pendingConfigUpdates", !all_acknowledged(state)},
        {"swarmStatus", name_of(state.phase)}};
}

void answer(Step& step, const wire::Attempt& attempt, wire::Outcome outcome) {
    step.publish(wire::Envelope::outcome(step.sender(), step.self(), attempt, std::move(outcome)));
}

void alert(Step& step, wire::AlertLevel level, std::string_view code, std::string message) {
    step.publish(wire::Envelope::alert(
        step.sender(), step.self(),
        {.level = level, .code = std::string{code}, .message = std::move(message)}));
}

void alert_with_log(Step& step, wire::Alert alert, const std::vector<std::string>& log) {
    if (!log.empty()) {
        if (!alert.context) alert.context.emplace();
        (*alert.context)["log"] = json::array(log.begin(), log.end());
    }
    step.publish(wire::Envelope::alert(step.sender(), step.self(), std::move(alert)));
}

void note_error(Step& step, const Bee& bee, std::string reason, std::string correlation) {
    const auto& work = step.state.work;
    if (correlation.empty() && work) correlation = work->attempts.front().correlation_id;
    if (correlation.empty() && !bee.sent.empty()) correlation = bee.sent.back();
    step.state.errors.push_back(
        {bee.spec.role.text() + "/" + bee.spec.instance.text(), std::move(reason),
         std::move(correlation)});
    while (step.state.errors.size() > step.settings.errors_kept) step.state.errors.pop_front();
}

void answer_failed(Step& step, const Work& work, const Failure& failure) {
    for (const auto& attempt : work.attempts) {
        answer(
            step, attempt,
            wire::Outcome::failed(work.command, json::object{{"reason", failure.reason}}));
        alert_with_log(
            step,
            {.code = std::string{wire::alert_code::controller_runtime_error},
             .message = fmt::format("{} failed: {}", name_of(work.command), failure.reason),
             .context =
                 json::object{
                     {"phase", name_of(work.command)}, {"correlationId", attempt.correlation_id}}},
            failure.log);
        step.state.errors.push_back(
            {"swarm-controller/" + step.state.instance.text(), failure.reason,
             attempt.correlation_id});
    }
    while (step.state.errors.size() > step.settings.errors_kept) step.state.errors.pop_front();
}

// Once until there has been none for a while: whoever sends nonsense may send a lot of it.
void message_rejected(Step& step, const Rejected& rejected) {
    const auto before = std::exchange(step.state.rejected_at, step.moment.now);
    if (before && step.moment.now - *before < step.settings.rejected_quiet) return;
    const auto key = printable(rejected.key);
    const auto reason = printable(rejected.reason, 300);
    step.publish(wire::Envelope::alert(
        step.sender(), step.self(),
        {.level = wire::AlertLevel::warn,
         .code = "message.rejected",
         .message = fmt::format("a message was rejected: {}", reason),
         .context = json::object{{"phase", "control"}, {"key", key}, {"reason", reason}}}));
}

std::string send_signal(Step& step, wire::Scope target, wire::Signal signal) {
    State& state = step.state;
    // A bee tells by the time which of two signals is the newer one.
    state.last_sent = std::max(step.moment.wall, state.last_sent + Duration{1});
    const auto id = fmt::format("{}-{}", state.life, state.next_id++);
    auto sender = step.sender();
    sender.at = state.last_sent;
    step.publish(
        wire::Envelope::signal(std::move(sender), std::move(target), {id, id}, std::move(signal)));
    return id;
}

} // namespace hive::controller
