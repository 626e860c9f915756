#include "wire/bindings.hpp"

#include "wire/routing.hpp"

#include <fmt/format.h>

namespace hive::wire {

std::vector<std::string> orchestrator_bindings() {
    return {"event.outcome.#", "event.alert.#", "event.metric.*.*.swarm-controller.*"};
}

std::vector<std::string> controller_bindings(const SwarmId& swarm, const InstanceId& instance) {
    const Scope self{swarm, controller_role(), instance};
    const Scope peers{.swarm = swarm, .role = controller_role()};
    const Scope every_controller{.role = controller_role()};
    std::vector<std::string> keys;
    for (const Command command : all_commands) {
        if (is_lifecycle(command)) keys.push_back(to_text(RoutingKey::signal(command, self)));
    }
    for (const Scope& target : {self, every_controller, Scope{.swarm = swarm}}) {
        keys.push_back(to_text(RoutingKey::signal(Command::config_update, target)));
    }
    // Not the whole swarm: that request is the controller's own, to its bees.
    for (const Scope& target : {self, peers, every_controller}) {
        keys.push_back(to_text(RoutingKey::signal(Command::status_request, target)));
    }
    for (const std::string_view type : types_of(Family::metric)) {
        keys.push_back(fmt::format("{}.{}.{}.*.*", prefix_of(Family::metric), type, swarm.text()));
    }
    return keys;
}

std::vector<std::string>
worker_bindings(const SwarmId& swarm, const Role& role, const InstanceId& instance) {
    const Scope self{swarm, role, instance};
    const Scope peers{.swarm = swarm, .role = role};
    std::vector<std::string> keys;
    for (const Scope& target : {self, peers, Scope{.swarm = swarm}}) {
        keys.push_back(to_text(RoutingKey::signal(Command::config_update, target)));
        keys.push_back(to_text(RoutingKey::signal(Command::status_request, target)));
    }
    return keys;
}

} // namespace hive::wire
