#pragma once

#include "bus/memory/hub.hpp"
#include "cli/components.hpp"
#include "cli/swarm_config.hpp"
#include "cli/swarm_meters.hpp"
#include "loop/loop.hpp"
#include "orchestrator/queen.hpp"
#include "runtime/runtime.hpp"

#include <memory>
#include <optional>
#include <string>

namespace hive::cli {

struct SwarmHostOptions {
    std::optional<Url> broker{};
    std::string data;
    std::string log_level = "info";
    std::string program{}; // that components are processes of; empty: this one
    SwarmConfig swarm{};
};

// Everything a server needs to run swarms: the bus, the runtime, and the queen on them.
class SwarmHost {
public:
    static Result<std::unique_ptr<SwarmHost>>
    open(SwarmHostOptions options, const Clock& clock, const Logger& log);
    ~SwarmHost();
    SwarmHost(const SwarmHost&) = delete;
    SwarmHost& operator=(const SwarmHost&) = delete;

    // What the queen tells, and where she keeps what outlives her; both outlive this.
    struct Ears {
        std::function<void(const orchestrator::SwarmReport&)> on_change{};
        std::function<void(const orchestrator::JournalEntry&)> on_entry{};
    };
    Status start_queen(orchestrator::Keeper& keeper, Ears ears);

    orchestrator::Queen& queen() noexcept { return *queen_; } // once she is started
    runtime::Runtime& runtime() noexcept { return *runtime_; }
    // What the components of a swarm have used; begins again from nothing.
    Duration take_cpu(const SwarmId& swarm) { return meters_.take(swarm); }
    void look_at_cpu() { meters_.look_at(*runtime_); }
    const telemetry::MetricsBoard& metrics() const noexcept { return metrics_; } // of its bees
    Result<std::unique_ptr<bus::Connection>>
    connect(const bus::Grants& grants, const std::string& name);

    // Lets go of the queen; what runs in this process ends with it, processes live on.
    void close();

private:
    SwarmHost(SwarmHostOptions options, const Clock& clock, const Logger& log);
    Status open_bus();
    Status open_runtime();

    SwarmHostOptions options_;
    const Clock& clock_;
    Logger log_;
    telemetry::MetricsBoard metrics_{};
    SwarmMeters meters_{};
    std::unique_ptr<bus::memory::Hub> hub_; // without a broker
    std::unique_ptr<loop::Loop> loop_;
    std::optional<ComponentParts> parts_;
    std::unique_ptr<bus::Connection> connection_; // the queen's
    std::unique_ptr<runtime::Runtime> runtime_;
    std::unique_ptr<orchestrator::Queen> queen_;
    Subscription guards_page_{}; // of controllers that are other processes
};

} // namespace hive::cli
