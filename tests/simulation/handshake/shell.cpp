#include "tests/simulation/handshake/shell.hpp"

#include "kernel/overloaded.hpp"
#include "tests/simulation/handshake/memory.hpp"
#include "wire/names.hpp"

#include <utility>

namespace hive::simulation::handshake {
namespace {

using namespace std::chrono_literals;

constexpr Duration tick_every = 500ms;
constexpr Duration open_again_after = 200ms;
constexpr std::size_t prefetch = 4;

} // namespace

Mailbox::Mailbox(Host& host, Address address, bus::ControlHandler handler)
    : host_{host}, address_{std::move(address)}, handler_{std::move(handler)} {}

void Mailbox::open() {
    const auto opened = try_open();
    if (opened) return;
    host_.note(opened.error().detail);
    host_.after(open_again_after, [this] { open(); });
}

Status Mailbox::try_open() {
    const std::string exchange{wire::control_exchange};
    auto declared = host_.connection().topology().declare(
        {.exchanges = {{exchange}},
         .queues = {{.name = address_.queue}},
         .bindings = {{exchange, address_.key, address_.queue}}});
    if (!declared) return declared;
    auto subscription = host_.connection().control().consume(address_.queue, handler_, prefetch);
    if (!subscription) return fail(subscription.error());
    subscription_ = std::move(*subscription);
    return {};
}

void Mailbox::publish(const Message& message, bus::Persistence persistence) {
    const auto done = host_.connection().control().publish(
        {std::string{routing_key_of(message)}, encode(message)}, persistence);
    // Both sides repeat what matters, so a full outbox costs time and nothing else.
    if (!done) host_.note(done.error().detail);
}

Performer::Performer(Host& host, PerformerSettings settings)
    : host_{host}, settings_{settings}, state_{recall_performer(host.disk(), host.clock().now())},
      mailbox_{host, {"ph.control.performer", "signal.#"}, [this](bus::ControlDelivery delivery) {
                   heard(std::move(delivery));
               }} {
    mailbox_.open();
    tick();
}

void Performer::tick() {
    on(PerformerTick{});
    host_.after(tick_every, [this] { tick(); });
}

void Performer::heard(bus::ControlDelivery delivery) {
    const auto message = decode(delivery.message().routing_key, delivery.message().body);
    const auto* command = message ? std::get_if<Command>(&*message) : nullptr;
    if (command == nullptr) return delivery.ack(); // not for us; it would only come back
    on(CommandArrived{command->attempt}, &delivery);
}

void Performer::on(const PerformerEvent& event, bus::ControlDelivery* delivery) {
    auto decision = decide(std::move(state_), event, host_.clock().now(), settings_);
    state_ = std::move(decision.next);
    for (const auto& effect : decision.effects) {
        std::visit(
            overloaded{
                [&](const SaveJob& save) { save_job(host_.disk(), state_, save.correlation); },
                [&](const SaveLedger&) { save_ledger(host_.disk(), state_); },
                [&](const Acknowledge&) { delivery->ack(); },
                [&](const React& react) {
                    mailbox_.publish(Reaction{react.attempt}, bus::Persistence::transient);
                },
                [&](const Announce& announcement) { announce(announcement.outcome); },
            },
            effect);
    }
}

void Performer::announce(const Outcome& outcome) {
    mailbox_.publish(outcome, bus::Persistence::persistent);
    // Until the broker has it the outcome would die with this process.
    const auto safe = host_.connection().control().flush(1s);
    if (safe) return on(Confirmed{outcome.attempt.correlation});
    host_.note(safe.error().detail);
}

Requester::Requester(Host& host, RequesterSettings settings)
    : host_{host}, settings_{settings}, state_{recall_requester(host.disk(), host.clock().now())},
      mailbox_{host, {"ph.control.requester", "event.#"}, [this](bus::ControlDelivery delivery) {
                   heard(std::move(delivery));
               }} {
    mailbox_.open();
    tick();
}

void Requester::tick() {
    on(RequesterTick{});
    host_.after(tick_every, [this] { tick(); });
}

void Requester::heard(bus::ControlDelivery delivery) {
    const auto message = decode(delivery.message().routing_key, delivery.message().body);
    if (message) {
        std::visit(
            overloaded{
                [&](const Reaction& reaction) { on(ReactionHeard{reaction.attempt}); },
                [&](const Outcome& outcome) { on(OutcomeHeard{outcome}); },
                [](const Command&) {},
            },
            *message);
    }
    delivery.ack();
}

void Requester::on(const RequesterEvent& event) {
    auto decision = decide(std::move(state_), event, host_.clock().now(), settings_);
    state_ = std::move(decision.next);
    for (const auto& effect : decision.effects) {
        std::visit(
            overloaded{
                [&](const SaveOrder& save) { save_order(host_.disk(), state_, save.key); },
                [&](const Send& send) {
                    mailbox_.publish(Command{send.attempt}, bus::Persistence::persistent);
                },
            },
            effect);
    }
}

} // namespace hive::simulation::handshake
