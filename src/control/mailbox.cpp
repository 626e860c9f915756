#include "control/mailbox.hpp"

#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <memory>
#include <utility>

namespace hive::control {
namespace {

constexpr Duration open_again_after = std::chrono::milliseconds{500};

bool is_status(const wire::Envelope& envelope) {
    return std::holds_alternative<wire::StatusFull>(envelope.body) ||
           std::holds_alternative<wire::StatusDelta>(envelope.body);
}

Result<wire::Envelope> read(const bus::ControlMessage& message) {
    auto envelope = wire::decode_envelope(message.body);
    if (!envelope) return envelope;
    auto key = wire::parse_routing_key(message.routing_key);
    if (!key) return fail(key.error());
    if (auto agrees = wire::check_agreement(*key, *envelope); !agrees) return fail(agrees.error());
    return envelope;
}

} // namespace

Mailbox::Mailbox(bus::Connection& bus, loop::Strand& strand, Address address, Readers readers)
    : bus_{bus}, strand_{strand}, address_{std::move(address)}, readers_{std::move(readers)} {}

void Mailbox::open(std::function<void()> opened) {
    if (auto ok = try_open(); ok) return opened();
    strand_.after(open_again_after, [this, opened = std::move(opened)] { open(opened); });
}

Status Mailbox::try_open() {
    const std::string exchange{wire::control_exchange};
    bus::Layout layout{
        .exchanges = {{exchange}},
        .queues = {{.name = address_.queue, .durable = address_.durable}}};
    for (const auto& key : address_.keys) {
        layout.bindings.push_back({exchange, key, address_.queue});
    }
    if (auto declared = bus_.topology().declare(layout); !declared) return declared;
    auto subscription = bus_.control().consume(
        address_.queue,
        [this](bus::ControlDelivery delivery) {
            // Shared, because a task may be copied and a delivery may not.
            auto kept = std::make_shared<bus::ControlDelivery>(std::move(delivery));
            strand_.post([this, kept] { take(*kept); });
        },
        address_.prefetch);
    if (!subscription) return fail(subscription.error());
    subscription_ = *std::move(subscription);
    return {};
}

void Mailbox::take(bus::ControlDelivery& delivery) {
    const bus::ControlMessage& message = delivery.message();
    const bool own = !address_.own.empty() && message.routing_key.ends_with(address_.own) &&
                     message.routing_key.starts_with("event.");
    if (!own) {
        const auto envelope = read(message);
        if (envelope) {
            readers_.heard(*envelope);
        } else if (readers_.rejected) {
            readers_.rejected(message.routing_key, envelope.error().detail);
        }
    }
    delivery.ack();
}

Status Mailbox::say(const wire::Envelope& envelope) {
    return bus_.control().publish(
        {to_text(wire::routing_key_of(envelope)), wire::encode(envelope)},
        is_status(envelope) ? bus::Persistence::transient : bus::Persistence::persistent);
}

} // namespace hive::control
