#include "controller/marshal.hpp"

#include "kernel/overloaded.hpp"
#include "wire/bindings.hpp"
#include "wire/names.hpp"
#include "worker/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::controller {
namespace {

constexpr Duration declare_again_after = std::chrono::milliseconds{500};

control::Address address_of(const SwarmId& swarm, const InstanceId& instance) {
    return {
        .queue = wire::control_queue(swarm, wire::controller_role(), instance),
        .keys = wire::controller_bindings(swarm, instance),
        .own = ".swarm-controller." + instance.text()};
}

std::vector<worker::WorkPort> work_ports(const SwarmId& swarm, const std::vector<Port>& ports) {
    std::vector<worker::WorkPort> out;
    for (const auto& port : ports) out.push_back({port.id, wire::work_queue(swarm, port.queue)});
    return out;
}

std::optional<std::uint64_t> whole_seconds(const std::optional<Duration>& age) {
    if (!age) return std::nullopt;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*age).count();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(seconds, 0));
}

// Whether asking again may help.
bool is_passing(Errc code) {
    return code == Errc::unavailable || code == Errc::timeout || code == Errc::limit;
}

} // namespace

Marshal::Marshal(MarshalOptions options, MarshalParts parts)
    : options_{std::move(options)}, parts_{std::move(parts)},
      state_{
          .swarm = options_.swarm,
          .instance = options_.instance,
          .started_at = parts_.clock.wall(),
          .life = options_.life},
      strand_{parts_.loop},
      mailbox_{
          parts_.bus,
          strand_,
          address_of(options_.swarm, options_.instance),
          {.heard = [this](const wire::Envelope& envelope) { on(Heard{envelope}); },
           .rejected =
               [this](std::string_view key, std::string_view reason) {
                   parts_.log.warn("a message was rejected", {{"key", key}, {"reason", reason}});
                   on(Rejected{std::string{key}, std::string{reason}});
               }}} {
    state_.control_wiring = {.in = {mailbox_.address().queue}, .routes = mailbox_.address().keys};
    exits_ = parts_.runtime.watch([this, post = strand_.poster()](const runtime::Exit& exit) {
        if (exit.name.swarm != options_.swarm || wire::is_controller(exit.name.role)) return;
        post([this, exit] { tell_exit(exit); });
    });
    if (parts_.metrics != nullptr) {
        page_ = parts_.metrics->post([this](telemetry::MetricsPage& page) {
            const std::lock_guard lock{figures_guard_};
            write_figures(page, options_.swarm.text(), figures_);
        });
    }
    strand_.post([this] {
        mailbox_.open([this] {
            on(Started{});
            strand_.every(options_.tick, [this] { on(Tick{}); });
        });
    });
}

Marshal::~Marshal() {
    page_.reset();
    exits_.reset();
    strand_.close();
}

void Marshal::stop(std::function<void()> stopped) {
    strand_.post([this, stopped = std::move(stopped)] {
        mailbox_.stop_listening();
        stopped();
    });
}

void Marshal::on(const Event& event) {
    auto decision = decide(
        std::move(state_), event, {parts_.clock.now(), parts_.clock.wall()}, options_.settings);
    state_ = std::move(decision.next);
    for (const auto& command : decision.commands) perform(command);
    if (decision.wake_at) wake_at(*decision.wake_at);
    if (!state_.guards.empty() && parts_.metrics != nullptr) note_figures();
}

void Marshal::note_figures() {
    std::vector<GuardFigures> figures;
    for (const GuardPost& post : state_.guards) figures.push_back(figures_of(post));
    const std::lock_guard lock{figures_guard_};
    figures_ = std::move(figures);
}

// One alarm at a time: whatever it wakes up for says when the next one is.
void Marshal::wake_at(TimePoint when) {
    const TimePoint now = parts_.clock.now();
    if (alarm_ > now && alarm_ <= when) return;
    alarm_ = when;
    strand_.after(std::max(when - now, Duration::zero()), [this, when] {
        if (alarm_ == when) alarm_ = {};
        on(Tick{});
    });
}

// Answers of the runtime come on its threads, perhaps when this has gone.
template <class Then>
runtime::Runtime::Done Marshal::then(Then next) {
    return [this, post = strand_.poster(), next = std::move(next)](const Status& status) {
        post([this, next, status] {
            if (auto event = next(status)) return on(*event);
            parts_.log.warn("the runtime could not", {{"reason", status.error().detail}});
        });
    };
}

void Marshal::perform(const Command& command) {
    using Maybe = std::optional<Event>;
    std::visit(
        overloaded{
            [&](const Publish& publish) {
                if (auto ok = mailbox_.say(publish.envelope); !ok) {
                    parts_.log.warn("nothing was said", {{"reason", ok.error().detail}});
                }
            },
            [&](const Declare& declaration) {
                undeclared_ = declaration.layout;
                waiting_.clear();
                declare();
            },
            [&](const Launch& command) {
                if (undeclared_) {
                    waiting_.push_back(command.bee);
                } else {
                    launch(command.bee);
                }
            },
            [&](const StopBee& stop) {
                parts_.runtime.stop(
                    name_of_bee(stop.instance), options_.settings.stop_each,
                    then([instance = stop.instance](const Status& ok) -> Maybe {
                        return ok ? Maybe{Exited{instance, "ended", false}} : std::nullopt;
                    }));
            },
            [&](const StopAllBees&) {
                undeclared_.reset(); // nothing is to appear while everything goes
                waiting_.clear();
                parts_.runtime.stop_all(
                    options_.swarm, runtime::Which::bees, options_.settings.stop_each,
                    then([](const Status& ok) -> Maybe {
                        return ok ? Maybe{BeesGone{}} : std::nullopt;
                    }));
            },
            [&](const RemoveObjects& removal) { remove(removal.objects); },
            [&](const InspectQueues& inspection) { inspect(inspection.queues); },
            [&](const SampleQueues& wanted) { sample(wanted.queues); },
        },
        command);
}

void Marshal::sample(const std::vector<std::string>& queues) {
    QueuesSampled seen;
    for (const std::string& queue : queues) {
        const auto stats = parts_.bus.topology().inspect(queue);
        auto& depth = seen.queues[queue];
        if (stats) depth = stats->depth;
    }
    strand_.post([this, seen = std::move(seen)] { on(seen); });
}

void Marshal::declare() {
    if (!undeclared_) return;
    const auto declared = parts_.bus.topology().declare(*undeclared_);
    if (!declared && is_passing(declared.error().code)) {
        parts_.log.warn("work objects not declared yet", {{"reason", declared.error().detail}});
        strand_.after(declare_again_after, [this] { declare(); });
        return;
    }
    undeclared_.reset();
    const auto bees = std::exchange(waiting_, {});
    if (declared) {
        for (const auto& bee : bees) launch(bee);
        return;
    }
    const auto reason = "its queues cannot be declared: " + declared.error().detail;
    for (const auto& bee : bees) {
        strand_.post([this, failed = LaunchFailed{bee.instance, reason}] { on(failed); });
    }
}

void Marshal::launch(const BeeSpec& bee) {
    const worker::Setup setup{
        .self = {options_.swarm, bee.role, bee.instance},
        .ports = {
            .exchange = wire::work_exchange(options_.swarm),
            .in = work_ports(options_.swarm, bee.in),
            .out = work_ports(options_.swarm, bee.out),
            .selectors = bee.selectors}};
    runtime::Component component{
        .name = {options_.swarm, bee.role, bee.instance},
        .environment = worker::environment_of(setup)};
    for (const auto& [name, value] : options_.bee_environment) component.environment[name] = value;
    // What the hive itself says stands.
    component.environment.insert(bee.env.begin(), bee.env.end());
    parts_.runtime.launch(
        std::move(component),
        then([instance = bee.instance](const Status& ok) -> std::optional<Event> {
            if (ok) return Launched{instance};
            return LaunchFailed{instance, ok.error().detail};
        }));
}

void Marshal::remove(const BrokerObjects& objects) {
    auto& topology = parts_.bus.topology();
    const auto failed = [&](const Status& status) {
        if (status) return false;
        parts_.log.warn("not removed yet", {{"reason", status.error().detail}});
        return true;
    };
    for (const auto& queue : objects.queues) {
        if (failed(topology.remove_queue(queue))) return;
    }
    for (const auto& exchange : objects.exchanges) {
        if (failed(topology.remove_exchange(exchange))) return;
    }
    strand_.post([this] { on(ObjectsRemoved{}); });
}

void Marshal::inspect(const std::vector<std::string>& queues) {
    QueuesInspected found;
    for (const auto& queue : queues) {
        const auto stats = parts_.bus.topology().inspect(queue);
        if (stats) {
            found.queues[queue] = wire::QueueDepth{
                .depth = stats->depth,
                .consumers = stats->consumers,
                .oldest_age_sec = whole_seconds(stats->oldest_age)};
        } else if (stats.error().code == Errc::not_found) {
            found.queues[queue] = std::nullopt;
        } else {
            return; // the broker is away: nothing is known, and nothing is said
        }
    }
    strand_.post([this, found = std::move(found)] { on(found); });
}

void Marshal::tell_exit(const runtime::Exit& exit) {
    on(Exited{exit.name.instance, exit.cause, exit.failed, exit.last_lines});
}

runtime::Name Marshal::name_of_bee(const InstanceId& instance) const {
    const auto found = std::ranges::find(state_.layout.bees, instance, &BeeSpec::instance);
    // Decisions only speak of bees of the template.
    return {options_.swarm, found->role, instance};
}

} // namespace hive::controller
