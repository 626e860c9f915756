#include "wire/outcome.hpp"

#include <cassert>
#include <cstdlib>
#include <utility>

namespace hive::wire {

std::string_view name_of(OutcomeStatus status) noexcept {
    switch (status) {
    case OutcomeStatus::ready: return "Ready";
    case OutcomeStatus::running: return "Running";
    case OutcomeStatus::stopped: return "Stopped";
    case OutcomeStatus::removed: return "Removed";
    case OutcomeStatus::applied: return "Applied";
    case OutcomeStatus::failed: return "Failed";
    case OutcomeStatus::not_ready: return "NotReady";
    }
    std::abort();
}

OutcomeStatus success_of(Command command) noexcept {
    switch (command) {
    case Command::swarm_create:
    case Command::swarm_template:
    case Command::swarm_plan: return OutcomeStatus::ready;
    case Command::swarm_start: return OutcomeStatus::running;
    case Command::swarm_stop: return OutcomeStatus::stopped;
    case Command::swarm_remove: return OutcomeStatus::removed;
    case Command::config_update: return OutcomeStatus::applied;
    case Command::status_request: break; // answered by a status
    }
    std::abort();
}

bool retryable_by_default(Command command) noexcept {
    // What failed to be understood once will fail again; what failed to happen may not.
    return !has_arguments(command);
}

Outcome Outcome::succeeded(Command command, std::optional<json::object> context) {
    assert(command != Command::config_update); // applied() says whether it is enabled
    return {.command = command, .status = success_of(command), .context = std::move(context)};
}

Outcome Outcome::applied(bool enabled, std::optional<json::object> context) {
    return {
        .command = Command::config_update,
        .status = OutcomeStatus::applied,
        .enabled = enabled,
        .context = std::move(context)};
}

Outcome Outcome::failed(Command command, std::optional<json::object> context) {
    assert(has_outcome(command));
    return {
        .command = command,
        .status = OutcomeStatus::failed,
        .retryable = retryable_by_default(command),
        .context = std::move(context)};
}

Outcome Outcome::not_ready(Command command, json::object gating_flags) {
    assert(has_outcome(command));
    return {
        .command = command, .status = OutcomeStatus::not_ready, .context = std::move(gating_flags)};
}

} // namespace hive::wire
