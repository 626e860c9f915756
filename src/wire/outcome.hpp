#pragma once

#include "kernel/json.hpp"
#include "wire/command.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hive::wire {

enum class OutcomeStatus : std::uint8_t {
    ready,
    running,
    stopped,
    removed,
    applied,
    failed,
    not_ready, // refused at a closed gate, without side effect
};
inline constexpr std::array all_outcome_statuses{
    OutcomeStatus::ready,   OutcomeStatus::running, OutcomeStatus::stopped,  OutcomeStatus::removed,
    OutcomeStatus::applied, OutcomeStatus::failed,  OutcomeStatus::not_ready};
std::string_view name_of(OutcomeStatus status) noexcept; // as on the wire: `NotReady`

OutcomeStatus success_of(Command command) noexcept; // of a command that has outcomes
bool retryable_by_default(Command command) noexcept;

// The one answer to one attempt of a command.
struct Outcome {
    Command command = Command::swarm_start;
    OutcomeStatus status = OutcomeStatus::failed;
    std::optional<bool> retryable{}; // exactly on failures
    std::optional<bool> enabled{};   // only for config-update; always when it was applied
    std::optional<json::object> context{};

    static Outcome succeeded(Command command, std::optional<json::object> context = {});
    static Outcome applied(bool enabled, std::optional<json::object> context = {});
    static Outcome failed(Command command, std::optional<json::object> context = {});
    static Outcome not_ready(Command command, json::object gating_flags);

    bool operator==(const Outcome&) const = default;
};

} // namespace hive::wire
