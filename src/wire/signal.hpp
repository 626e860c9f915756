#pragma once

#include "kernel/json.hpp"
#include "wire/command.hpp"

namespace hive::wire {

// A command on its way. What it targets is in the envelope's scope, never in the data.
struct Signal {
    Command command = Command::status_request;
    json::object data{}; // empty for commands without arguments

    static Signal swarm_template(json::object plan);
    static Signal swarm_plan(json::object timeline);
    static Signal swarm_start();
    static Signal swarm_stop();
    static Signal swarm_remove();
    static Signal
    config_update(json::object patch);  // a member `enabled` turns the workload on or off
    static Signal enable(bool enabled); // a config-update of nothing else
    static Signal status_request();

    bool operator==(const Signal&) const = default;
};

} // namespace hive::wire
