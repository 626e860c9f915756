// `hive controller` and `hive worker ROLE`: what the process runtime launches.
#include "bus/rabbitmq/connect.hpp"
#include "cli/broker.hpp"
#include "cli/commands.hpp"
#include "cli/components.hpp"
#include "cli/exit_code.hpp"
#include "cli/fd_log_sink.hpp"
#include "cli/signals.hpp"
#include "loop/loop.hpp"
#include "runtime/process/process_runtime.hpp"
#include "wire/scope.hpp"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <future>

namespace hive::cli {
namespace {

struct ComponentOptions {
    std::string role{};
    std::optional<Url> broker{};
    DirectoryPath data{".hive"};
    ComponentConfig component{};
    std::string log_level = "info";
};

void declare_any(OptionTable& table, ComponentOptions& options) {
    table.add("broker.url", options.broker)
        .flag("broker")
        .expected("a URL like amqp://user:{env:PASSWORD}@host:5672/vhost")
        .required()
        .help("RabbitMQ where the swarm is");
    table.add("data.dir", options.data)
        .flag("data")
        .help("directory of the hive that launched this: records and logs of its components");
    declare_component_options(table, options.component);
    table.add("log.level", options.log_level)
        .value_name("LEVEL")
        .check([](const std::string& spec) { return check_log_levels(spec); })
        .help("how much to log");
}

void declare_worker(OptionTable& table, ComponentOptions& options) {
    table.add_positional("role", options.role).required().help("what kind of bee");
    declare_any(table, options);
}

// What a component was told at its start, as its launcher wrote it.
worker::Environment told(const Host& host) {
    worker::Environment environment;
    for (const char* name : worker::setup_variables()) {
        if (auto value = host.env(name)) environment[name] = *std::move(value);
    }
    return environment;
}

// The end of a component that gave up; the main thread waits for signals, so it is told by one.
class GiveUp {
public:
    runtime::inproc::TellExit teller() {
        return [this](bool failed, const std::string& cause) {
            const std::lock_guard lock{mutex_};
            if (!cause_) cause_ = std::pair{failed, cause};
            ::kill(::getpid(), SIGTERM);
        };
    }
    std::optional<std::pair<bool, std::string>> cause() {
        const std::lock_guard lock{mutex_};
        return cause_;
    }

private:
    std::mutex mutex_;
    std::optional<std::pair<bool, std::string>> cause_{};
};

int live(const ComponentOptions& options, Call& call, const runtime::Component& component) {
    const SignalWait signals; // before any thread starts
    FdLogSink sink{STDERR_FILENO, log_style(STDERR_FILENO, std::nullopt, call.host.colors)};
    LogLevels levels;
    if (auto set = levels.set(options.log_level); !set) return exit_bad_input;
    const Logger log{sink, call.host.clock, levels, "hive"};
    const auto failed = [&](const Error& error) {
        call.host.err << "error: " << error.detail << '\n';
        return error.code == Errc::invalid ? exit_bad_input : exit_failed;
    };
    auto connect = connect_to(*options.broker, log);
    if (!connect) return failed(connect.error());
    auto runtime = runtime::process::make_runtime(
        {.program = own_program(),
         .programs = options.component.programs,
         .directory = whole_path(options.data.text)},
        call.host.clock, log.for_area("runtime"));
    if (!runtime) return failed(runtime.error());
    GiveUp end;
    loop::Loop loop{1};
    const ComponentParts parts{
        .connect = *std::move(connect),
        .loop = loop,
        .clock = call.host.clock,
        .log = log,
        .config = options.component,
        .inherited = inherited_environment(
            {std::string{options.broker->reveal()}, options.data.text, options.log_level},
            options.component)};
    auto inhabitant = make_component(parts, **runtime, component, end.teller());
    if (!inhabitant) return failed(inhabitant.error());
    log.info("up", {{"instance", component.name.instance.text()}});
    while (signals.next() == SIGHUP) {
    }
    std::promise<void> gone;
    (*inhabitant)->stop([&] { gone.set_value(); });
    gone.get_future().wait();
    inhabitant->reset();
    const auto cause = end.cause();
    log.info("down", {{"instance", component.name.instance.text()}});
    if (!cause || !cause->first) return exit_ok;
    call.host.err << "error: " << cause->second << '\n';
    return exit_failed;
}

int run_component(const ComponentOptions& options, Call& call, const std::string& role) {
    auto environment = told(call.host);
    auto self = worker::read_identity(environment);
    if (self && self->role.text() != role) {
        self =
            fail(Errc::invalid, fmt::format("the environment is that of a {}", self->role.text()));
    }
    if (!self) {
        call.host.err << "error: " << self.error().detail
                      << "\nThis command is for runtimes: a hive server launches it.\n";
        return exit_bad_input;
    }
    return live(
        options, call,
        {.name = {self->swarm, self->role, self->instance}, .environment = std::move(environment)});
}

int run_controller(ComponentOptions& options, Call& call) {
    return run_component(options, call, wire::controller_role().text());
}

int run_worker(ComponentOptions& options, Call& call) {
    return run_component(options, call, options.role);
}

} // namespace

Command controller_command() {
    return make_command<ComponentOptions>(
        {.name = "controller",
         .summary = "run the controller of one swarm; launched by a hive server",
         .description =
             "What it controls is said by the environment: POCKETHIVE_CONTROL_PLANE_SWARM_ID and "
             "POCKETHIVE_CONTROL_PLANE_INSTANCE_ID. It launches its bees as processes beside it."},
        declare_any, run_controller);
}

Command worker_command() {
    return make_command<ComponentOptions>(
        {.name = "worker",
         .summary = "run one bee of a swarm; launched by its controller",
         .description =
             "Who it is and which queues it uses is said by the environment: "
             "POCKETHIVE_CONTROL_PLANE_SWARM_ID, POCKETHIVE_CONTROL_PLANE_INSTANCE_ID and "
             "POCKETHIVE_WORK_PORTS."},
        declare_worker, run_worker);
}

} // namespace hive::cli
