#include "api/rest/control_mirror.hpp"

#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"
#include "wire/names.hpp"

#include <array>

namespace hive::rest {
namespace {

constexpr std::size_t waiting_max = 10'000;
constexpr std::size_t prefetch = 256;

} // namespace

Result<std::unique_ptr<ControlMirror>>
ControlMirror::start(bus::Connection& bus, Hear hear, const std::string& keys) {
    std::array<std::uint8_t, 4> nonce{};
    fill_from_entropy(nonce);
    const std::string queue = "ph.debug.mirror." + to_hex(nonce);
    const auto declared = bus.topology().declare(
        {.exchanges = {{std::string{wire::control_exchange}}},
         .queues =
             {{.name = queue,
               .durable = false,
               .exclusive = true,
               .auto_delete = true,
               .max_length = waiting_max,
               .overflow = bus::Overflow::drop_oldest}},
         .bindings = {{std::string{wire::control_exchange}, keys, queue}}});
    if (!declared) return fail(declared.error());
    auto heard = bus.control().consume(
        queue,
        [hear = std::move(hear)](bus::ControlDelivery delivery) {
            hear(delivery.message().routing_key, delivery.message().body);
            delivery.ack();
        },
        prefetch);
    if (!heard) return fail(heard.error());
    return std::unique_ptr<ControlMirror>{new ControlMirror{std::move(*heard)}};
}

} // namespace hive::rest
