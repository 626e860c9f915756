#include "wire/names.hpp"

#include <fmt/format.h>

namespace hive::wire {

std::string work_exchange(const SwarmId& swarm) {
    return fmt::format("ph.{}.hive", swarm.text());
}

std::string work_queue(const SwarmId& swarm, const QueueName& queue) {
    return fmt::format("ph.work.{}.{}", swarm.text(), queue.text());
}

std::string dead_letter_queue(const SwarmId& swarm, const QueueName& queue) {
    return dead_letter_queue(work_queue(swarm, queue));
}

std::string dead_letter_queue(std::string_view work_queue) {
    return std::string{work_queue} + ".dead";
}

std::string control_queue(const SwarmId& swarm, const Role& role, const InstanceId& instance) {
    return fmt::format("ph.control.{}.{}.{}", swarm.text(), role.text(), instance.text());
}

std::string orchestrator_queue(const InstanceId& instance) {
    return fmt::format("ph.control.orchestrator.{}", instance.text());
}

std::string debug_tap(const SwarmId& swarm, const Role& role, std::uint32_t nonce) {
    return fmt::format("ph.debug.{}.{}.{:08x}", swarm.text(), role.text(), nonce);
}

Result<InstanceId> bee_instance(const SwarmId& swarm, const Role& role, std::uint32_t n) {
    return InstanceId::parse(fmt::format("{}-{}-{}", swarm.text(), role.text(), n));
}

Result<InstanceId> controller_instance(const SwarmId& swarm) {
    return InstanceId::parse(fmt::format("{}-marshal", swarm.text()));
}

} // namespace hive::wire
