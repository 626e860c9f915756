#include "tests/simulation/swarm/mailbox.hpp"

#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <utility>

namespace hive::simulation::swarm {
namespace {

using namespace std::chrono_literals;

constexpr Duration open_again_after = 200ms;
constexpr std::size_t prefetch = 8;

} // namespace

Mailbox::Mailbox(Host& host, Address address, Reader reader)
    : host_{host}, address_{std::move(address)}, reader_{std::move(reader)} {}

void Mailbox::open() {
    const auto opened = try_open();
    if (opened) return;
    host_.note(opened.error().detail);
    host_.after(open_again_after, [this] { open(); });
}

Status Mailbox::try_open() {
    const std::string exchange{wire::control_exchange};
    bus::Layout layout{
        .exchanges = {{exchange}},
        .queues = {{.name = address_.queue, .durable = address_.durable}}};
    for (const auto& key : address_.keys)
        layout.bindings.push_back({exchange, key, address_.queue});
    auto declared = host_.connection().topology().declare(layout);
    if (!declared) return declared;
    auto subscription = host_.connection().control().consume(
        address_.queue, [this](bus::ControlDelivery delivery) { heard(std::move(delivery)); },
        prefetch);
    if (!subscription) return fail(subscription.error());
    subscription_ = std::move(*subscription);
    return {};
}

void Mailbox::heard(bus::ControlDelivery delivery) {
    const bool own = !address_.own.empty() &&
                     delivery.message().routing_key.ends_with(address_.own) &&
                     delivery.message().routing_key.starts_with("event.");
    if (!own) {
        auto envelope = wire::decode_envelope(delivery.message().body);
        if (envelope) reader_(*std::move(envelope));
    }
    delivery.ack();
}

void Mailbox::publish(const wire::Envelope& envelope) {
    const bool status = std::holds_alternative<wire::StatusFull>(envelope.body) ||
                        std::holds_alternative<wire::StatusDelta>(envelope.body);
    const auto done = host_.connection().control().publish(
        {to_text(wire::routing_key_of(envelope)), wire::encode(envelope)},
        status ? bus::Persistence::transient : bus::Persistence::persistent);
    if (!done) host_.note(done.error().detail);
}

} // namespace hive::simulation::swarm
