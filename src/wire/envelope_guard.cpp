#include "wire/envelope_guard.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::wire {
namespace {

constexpr std::array<std::string_view, 10> heavy_keys{
    "workers", "bindings", "topology",  "template",   "plan",
    "config",  "io",       "startedAt", "queueStats", "computeAdapter",
};

bool is_command(const Body& body) {
    return std::holds_alternative<Signal>(body) || std::holds_alternative<Outcome>(body);
}

void guard(const Signal& signal, Problems& problems) {
    if (!has_signal(signal.command)) {
        problems.add("type", fmt::format("{} has no signal", name_of(signal.command)));
    }
    if (!has_arguments(signal.command) && !signal.data.empty()) {
        problems.add("data", fmt::format("must be empty for {}", name_of(signal.command)));
    }
    const json::value* enabled = signal.data.if_contains("enabled");
    if (signal.command == Command::config_update && enabled && !enabled->is_bool()) {
        problems.add("data.enabled", "must be true or false");
    }
}

void guard(const Outcome& outcome, Problems& problems) {
    const std::string_view command = name_of(outcome.command);
    if (!has_outcome(outcome.command)) {
        problems.add("type", fmt::format("{} has no outcome", command));
        return;
    }
    const bool failed = outcome.status == OutcomeStatus::failed;
    const bool refused = outcome.status == OutcomeStatus::not_ready;
    const OutcomeStatus success = success_of(outcome.command);
    if (!failed && !refused && outcome.status != success) {
        problems.add(
            "data.status", fmt::format(
                               "{} ends with {}, Failed or NotReady, not with {}", command,
                               name_of(success), name_of(outcome.status)));
    }
    if (failed && !outcome.retryable) {
        problems.add("data.retryable", "is missing: a failure says whether to try again");
    }
    if (!failed && outcome.retryable) problems.add("data.retryable", "belongs only on failures");
    if (outcome.enabled && outcome.command != Command::config_update) {
        problems.add("data.enabled", "belongs only on config-update outcomes");
    }
    if (outcome.status == OutcomeStatus::applied && !outcome.enabled) {
        problems.add("data.enabled", "is missing: Applied says whether the workload is enabled");
    }
    if (refused && !outcome.context) {
        problems.add("data.context", "is missing: NotReady says which gates are closed");
    }
}

void guard(const StatusFull& status, const Target<Role>& role, Problems& problems) {
    if (is_manager(role) && status.io.work) {
        problems.add("data.io.work", "a manager has no workload; only io.control is allowed");
    }
    if (is_manager(role) && status.io_state.work) {
        problems.add("data.ioState.work", "a manager has no workload");
    }
    if (status.context && status.context->contains("workers") && !is_controller(role)) {
        problems.add("data.context.workers", "only a swarm-controller lists workers");
    }
}

void guard(const StatusDelta& status, const Target<Role>& role, Problems& problems) {
    if (is_manager(role) && status.io_state.work) {
        problems.add("data.ioState.work", "a manager has no workload");
    }
    if (!status.context) return;
    for (const std::string_view key : heavy_keys) {
        if (!status.context->contains(key)) continue;
        problems.add(fmt::format("data.context.{}", key), "belongs only into status-full");
    }
}

void guard(const Alert& alert, Problems& problems) {
    if (alert.code.empty()) problems.add("data.code", "must not be empty");
    if (alert.message.empty()) problems.add("data.message", "must not be empty");
}

} // namespace

std::span<const std::string_view> heavy_context_keys() {
    return heavy_keys;
}

void guard_attempt(const Envelope& envelope, Problems& problems) {
    if (is_command(envelope.body) && !envelope.correlation_id) {
        problems.add("correlationId", "must not be null on signals and outcomes");
    }
    if (envelope.correlation_id && envelope.correlation_id->empty()) {
        problems.add("correlationId", "must not be empty");
    }
    if (envelope.idempotency_key && envelope.idempotency_key->empty()) {
        problems.add("idempotencyKey", "must not be empty; null says that there is none");
    }
}

void guard_scope(const Envelope& envelope, Problems& problems) {
    const Scope& scope = envelope.scope;
    const auto concrete = [&](std::string_view path, bool is_all, std::string_view why) {
        if (is_all) problems.add(path, fmt::format("must not be {}: {}", all_word, why));
    };
    if (const auto* signal = std::get_if<Signal>(&envelope.body)) {
        if (!is_lifecycle(signal->command)) return;
        const std::string why = fmt::format("{} targets one controller", name_of(signal->command));
        concrete("scope.swarmId", scope.swarm.is_all(), why);
        concrete("scope.instance", scope.instance.is_all(), why);
        if (!is_controller(scope.role)) {
            problems.add("scope.role", fmt::format("must be swarm-controller: {}", why));
        }
    } else if (!std::holds_alternative<Alert>(envelope.body)) {
        constexpr std::string_view why = "it names who acted";
        concrete("scope.role", scope.role.is_all(), why);
        concrete("scope.instance", scope.instance.is_all(), why);
    }
}

void guard_body(const Envelope& envelope, Problems& problems) {
    const Target<Role>& role = envelope.scope.role;
    std::visit(
        overloaded{
            [&](const StatusFull& status) { guard(status, role, problems); },
            [&](const StatusDelta& status) { guard(status, role, problems); },
            [&](const auto& body) { guard(body, problems); },
        },
        envelope.body);
}

} // namespace hive::wire
