#pragma once

#include "bus/connection.hpp"
#include "bus/grants.hpp"
#include "cli/swarm_config.hpp"
#include "kernel/log.hpp"
#include "loop/loop.hpp"
#include "runtime/inproc/inproc_runtime.hpp"
#include "worker/workload.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hive::cli {

// A connection of one's own, with the rights of its party where the bus keeps them.
using Connect = std::function<Result<std::unique_ptr<bus::Connection>>(
    const bus::Grants& grants, const std::string& name)>;

std::vector<worker::BeeKind> every_kind_of_bee(const ComponentConfig& config);

std::string new_life(const InstanceId& instance); // a name that no earlier start had

struct ComponentParts { // all outlive what is made
    Connect connect;
    loop::Loop& loop;
    const Clock& clock;
    Logger log;
    const ComponentConfig& config;
    std::map<std::string, std::string> inherited{}; // what controllers pass on to their bees
    telemetry::MetricsBoard* metrics = nullptr;     // none: nobody in this process reads it
};

// Brings controllers and bees to life: in this process for the embedded hive, or alone in a process
// of their own. A controller launches its bees on `runtime`.
Result<std::unique_ptr<runtime::inproc::Inhabitant>> make_component(
    const ComponentParts& parts, runtime::Runtime& runtime, const runtime::Component& component,
    const runtime::inproc::TellExit& tell);

} // namespace hive::cli
