#include "wire/signal.hpp"

#include <utility>

namespace hive::wire {

Signal Signal::swarm_template(json::object plan) {
    return {Command::swarm_template, std::move(plan)};
}

Signal Signal::swarm_plan(json::object timeline) {
    return {Command::swarm_plan, std::move(timeline)};
}

Signal Signal::swarm_start() {
    return {.command = Command::swarm_start};
}

Signal Signal::swarm_stop() {
    return {.command = Command::swarm_stop};
}

Signal Signal::swarm_remove() {
    return {.command = Command::swarm_remove};
}

Signal Signal::config_update(json::object patch) {
    return {Command::config_update, std::move(patch)};
}

Signal Signal::enable(bool enabled) {
    return config_update({{"enabled", enabled}});
}

Signal Signal::status_request() {
    return {.command = Command::status_request};
}

} // namespace hive::wire
