#include "wire/command.hpp"

#include "wire/choice.hpp"

#include <cstdlib>
#include <span>

namespace hive::wire {

std::string_view name_of(Command command) noexcept {
    switch (command) {
    case Command::swarm_create: return "swarm-create";
    case Command::swarm_template: return "swarm-template";
    case Command::swarm_plan: return "swarm-plan";
    case Command::swarm_start: return "swarm-start";
    case Command::swarm_stop: return "swarm-stop";
    case Command::swarm_remove: return "swarm-remove";
    case Command::config_update: return "config-update";
    case Command::status_request: return "status-request";
    }
    std::abort();
}

bool has_signal(Command command) noexcept {
    return command != Command::swarm_create;
}

bool has_outcome(Command command) noexcept {
    return command != Command::status_request;
}

bool is_lifecycle(Command command) noexcept {
    return has_signal(command) && command != Command::config_update &&
           command != Command::status_request;
}

bool has_arguments(Command command) noexcept {
    return command == Command::swarm_template || command == Command::swarm_plan ||
           command == Command::config_update;
}

Result<Command> parse_signal_type(std::string_view text) {
    return parse_choice(std::span{all_commands}.subspan<1>(), text);
}

Result<Command> parse_outcome_type(std::string_view text) {
    return parse_choice(std::span{all_commands}.first<all_commands.size() - 1>(), text);
}

} // namespace hive::wire
