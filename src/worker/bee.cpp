#include "worker/bee.hpp"

#include "kernel/overloaded.hpp"
#include "wire/bindings.hpp"
#include "wire/names.hpp"

#include <utility>

namespace hive::worker {
namespace {

constexpr Duration look_again = std::chrono::milliseconds{10};

control::Address address_of(const Identity& self) {
    return {
        .queue = wire::control_queue(self.swarm, self.role, self.instance),
        .keys = wire::worker_bindings(self.swarm, self.role, self.instance),
        .durable = false}; // a bee that starts anew is told everything again
}

wire::Wiring wiring_of(const WorkPorts& ports) {
    wire::Wiring wiring;
    for (const auto& port : ports.in) wiring.in.push_back(port.queue);
    for (const auto& port : ports.out) {
        wiring.out.push_back(port.queue);
        wiring.routes.push_back(port.queue);
    }
    return wiring;
}

} // namespace

Bee::Bee(BeeOptions options, BeeParts parts)
    : options_{std::move(options)}, parts_{std::move(parts)},
      state_{
          .self = options_.setup.self,
          .started_at = parts_.clock.wall(),
          .work_wiring = wiring_of(options_.setup.ports)},
      strand_{parts_.loop},
      mailbox_{
          parts_.bus,
          strand_,
          address_of(state_.self),
          {.heard = [this](const wire::Envelope& signal) { hear(signal); },
           .rejected =
               [this](std::string_view key, std::string_view reason) {
                   parts_.log.warn("a message was rejected", {{"key", key}, {"reason", reason}});
                   on(MessageRejected{std::string{key}, std::string{reason}});
               }}} {
    state_.control_wiring = {.in = {mailbox_.address().queue}, .routes = mailbox_.address().keys};
}

Result<std::unique_ptr<Bee>> Bee::start(BeeOptions options, const BeeKind& kind, BeeParts parts) {
    std::unique_ptr<Bee> bee{new Bee{std::move(options), std::move(parts)}};
    bee->options_.control.validate = kind.check;
    bee->options_.control.shown = kind.shown;
    auto workload = kind.make(
        {.setup = bee->options_.setup,
         .bus = bee->parts_.bus.work(),
         .strand = bee->strand_,
         .clock = bee->parts_.clock,
         .log = bee->parts_.log,
         .give_up =
             [self = bee.get()](std::string why) {
                 if (auto ended = std::exchange(self->parts_.ended, nullptr)) ended(std::move(why));
             },
         .metrics = bee->parts_.metrics,
         .entropy = bee->options_.entropy});
    if (!workload) return fail(workload.error());
    bee->workload_ = *std::move(workload);
    bee->strand_.post([self = bee.get()] {
        self->mailbox_.open([self] {
            self->on(Started{});
            self->strand_.every(self->options_.tick, [self] { self->tick(); });
        });
    });
    return bee;
}

Bee::~Bee() {
    strand_.close();
}

void Bee::stop(std::function<void()> stopped) {
    strand_.post([this, stopped = std::move(stopped)] {
        stopping_ = true;
        mailbox_.stop_listening();
        if (state_.enabled) workload_->set_enabled(false);
        await_rest(parts_.clock.now() + options_.drain, stopped);
    });
}

// Calls that are under way are let finish: their answers would be missed, and made again.
void Bee::await_rest(TimePoint deadline, const std::function<void()>& stopped) {
    if (!workload_->busy() || parts_.clock.now() >= deadline) return stopped();
    strand_.after(look_again, [this, deadline, stopped] { await_rest(deadline, stopped); });
}

void Bee::hear(const wire::Envelope& signal) {
    const auto* body = std::get_if<wire::Signal>(&signal.body);
    // Who asks for a status wants it as it is now.
    const bool asked = body != nullptr && body->command == wire::Command::status_request;
    if (asked && !stopping_) on(workload_->report());
    on(SignalHeard{signal});
}

void Bee::tick() {
    if (stopping_) return;
    on(workload_->report());
    on(Tick{});
}

void Bee::on(const ControlEvent& event) {
    auto decision = decide(
        std::move(state_), event, {parts_.clock.now(), parts_.clock.wall()}, options_.control);
    state_ = std::move(decision.next);
    for (const auto& command : decision.commands) perform(command);
}

void Bee::perform(const ControlCommand& command) {
    std::visit(
        overloaded{
            [&](const Publish& publish) {
                if (auto ok = mailbox_.say(publish.envelope); !ok) {
                    parts_.log.warn("nothing was said", {{"reason", ok.error().detail}});
                }
            },
            [&](const SetWorkload& set) { workload_->set_enabled(set.enabled); },
            [&](const Reconfigure& change) { workload_->configure(change.config); },
        },
        command);
}

} // namespace hive::worker
