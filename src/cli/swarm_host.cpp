#include "cli/swarm_host.hpp"

#include "cli/broker.hpp"
#include "controller/guard_figures.hpp"
#include "runtime/inproc/inproc_runtime.hpp"
#include "runtime/process/process_runtime.hpp"

#include <utility>

namespace hive::cli {
namespace {

constexpr Duration goodbye = std::chrono::seconds{5};

} // namespace

SwarmHost::SwarmHost(SwarmHostOptions options, const Clock& clock, const Logger& log)
    : options_{std::move(options)}, clock_{clock}, log_{log},
      loop_{std::make_unique<loop::Loop>(options_.swarm.threads)} {}

Result<std::unique_ptr<SwarmHost>>
SwarmHost::open(SwarmHostOptions options, const Clock& clock, const Logger& log) {
    std::unique_ptr<SwarmHost> host{new SwarmHost{std::move(options), clock, log}};
    if (auto ok = host->open_bus(); !ok) return fail(ok.error());
    if (auto ok = host->open_runtime(); !ok) return fail(ok.error());
    return host;
}

SwarmHost::~SwarmHost() {
    close();
}

void SwarmHost::close() {
    guards_page_.reset();
    queen_.reset();
    runtime_.reset();
    if (!connection_) return;
    if (auto ok = connection_->close(goodbye); !ok) {
        log_.warn("the broker did not say goodbye", {{"reason", ok.error().detail}});
    }
    connection_.reset();
}

Status SwarmHost::open_bus() {
    Connect connect;
    if (options_.broker) {
        auto made = connect_to(*options_.broker, log_);
        if (!made) return fail(made.error());
        connect = *std::move(made);
    } else {
        hub_ = std::make_unique<bus::memory::Hub>(clock_);
        connect = [hub = hub_.get()](const bus::Grants& grants, const std::string&)
            -> Result<std::unique_ptr<bus::Connection>> { return hub->connect(grants); };
    }
    parts_.emplace(ComponentParts{
        .connect = std::move(connect),
        .loop = *loop_,
        .clock = clock_,
        .log = log_,
        .config = options_.swarm.components,
        .metrics = &metrics_});
    auto queen = InstanceId::parse(options_.swarm.queen);
    if (!queen) return fail(Errc::invalid, "swarm.queen: " + queen.error().detail);
    auto connection = this->connect(bus::Grants::orchestrator(*queen), queen->text());
    if (!connection) return fail(connection.error());
    connection_ = *std::move(connection);
    return {};
}

Status SwarmHost::open_runtime() {
    const std::string& kind = options_.swarm.runtime;
    const bool processes = kind == "process" || (kind == "auto" && options_.broker);
    if (!processes) {
        runtime_ = runtime::inproc::make_runtime(
            [this](const runtime::Component& component, const runtime::inproc::TellExit& tell) {
                const loop::WorkingFor work{meters_.meter_of(component.name.swarm)};
                return make_component(*parts_, *runtime_, component, tell);
            },
            clock_);
        return {};
    }
    if (!options_.broker) {
        return fail(
            Errc::invalid,
            "swarm.runtime: processes need a broker between them; set broker.url to a RabbitMQ");
    }
    auto made = runtime::process::make_runtime(
        {.program = options_.program.empty() ? own_program() : options_.program,
         .programs = options_.swarm.components.programs,
         .directory = whole_path(options_.data)},
        clock_, log_.for_area("runtime"));
    if (!made) return fail(made.error());
    runtime_ = *std::move(made);
    parts_->inherited = inherited_environment(
        {std::string{options_.broker->reveal()}, whole_path(options_.data), options_.log_level},
        options_.swarm.components);
    return {};
}

Status SwarmHost::start_queen(orchestrator::Keeper& keeper, Ears ears) {
    auto instance = InstanceId::parse(options_.swarm.queen);
    if (!instance) return fail(instance.error());
    auto queen = orchestrator::Queen::start(
        {.instance = *instance,
         .life = new_life(*instance),
         .settings = options_.swarm.orchestrator,
         .marshal_environment = parts_->inherited},
        {.bus = *connection_,
         .runtime = *runtime_,
         .loop = *loop_,
         .keeper = keeper,
         .clock = clock_,
         .log = log_.for_area("orchestrator"),
         .on_change = std::move(ears.on_change),
         .on_entry = std::move(ears.on_entry)});
    if (!queen) return fail(queen.error());
    queen_ = *std::move(queen);
    // Controllers in this process write on the page themselves.
    if (parts_->inherited.empty()) return {};
    guards_page_ = metrics_.post([this](telemetry::MetricsPage& page) {
        for (const auto& report : queen_->swarms()) {
            controller::write_figures(
                page, report->swarm.id.text(), controller::figures_in(report->aggregate));
        }
    });
    return {};
}

Result<std::unique_ptr<bus::Connection>>
SwarmHost::connect(const bus::Grants& grants, const std::string& name) {
    return parts_->connect(grants, name);
}

} // namespace hive::cli
