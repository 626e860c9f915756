#pragma once

#include "kernel/result.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace hive::wire {

// What one component asks of another. A swarm is created through the orchestrator's API, so
// swarm-create has an outcome but no signal; status-request is answered by a status, so it has a
// signal but no outcome.
enum class Command : std::uint8_t {
    swarm_create,
    swarm_template,
    swarm_plan,
    swarm_start,
    swarm_stop,
    swarm_remove,
    config_update,
    status_request,
};

inline constexpr std::array all_commands{
    Command::swarm_create, Command::swarm_template, Command::swarm_plan,    Command::swarm_start,
    Command::swarm_stop,   Command::swarm_remove,   Command::config_update, Command::status_request,
};

std::string_view name_of(Command command) noexcept; // as on the wire: `swarm-start`
bool has_signal(Command command) noexcept;
bool has_outcome(Command command) noexcept;
// Addressed to one swarm controller, never to all of them.
bool is_lifecycle(Command command) noexcept;
// Whether the signal carries arguments; the data of the others is empty.
bool has_arguments(Command command) noexcept;

Result<Command> parse_signal_type(std::string_view text);
Result<Command> parse_outcome_type(std::string_view text);

} // namespace hive::wire
