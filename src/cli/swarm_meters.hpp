#pragma once

#include "kernel/id.hpp"
#include "loop/cpu_meter.hpp"
#include "runtime/runtime.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace hive::cli {

// How much CPU time the components of each swarm have used since they were first seen here.
//
// In this process it is what their strands and HTTP lanes used; the threads of the embedded bus, of
// RabbitMQ connections and of Redis serve everyone and are nobody's. Of components that are
// processes it is all they used, as the kernel last said: what a process does in its last second
// may be missing.
class SwarmMeters {
public:
    loop::CpuMeterPtr meter_of(const SwarmId& swarm); // for components in this process
    void look_at(runtime::Runtime& runtime);          // at those that are processes
    Duration take(const SwarmId& swarm);              // and begin again from nothing

private:
    std::mutex mutex_;
    std::map<std::string, loop::CpuMeterPtr> meters_;
    std::map<std::pair<std::string, int>, Duration> processes_; // by swarm and pid
};

} // namespace hive::cli
