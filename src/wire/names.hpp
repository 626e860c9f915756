#pragma once

#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::wire {

// The broker objects of the contract, by name. Ids hold no dots, so names of two swarms never meet.
inline constexpr std::string_view control_exchange = "ph.control";

std::string work_exchange(const SwarmId& swarm);
std::string work_queue(const SwarmId& swarm, const QueueName& queue); // also its binding key
std::string dead_letter_queue(const SwarmId& swarm, const QueueName& queue);
std::string dead_letter_queue(std::string_view work_queue); // by the whole name of the other
std::string control_queue(const SwarmId& swarm, const Role& role, const InstanceId& instance);
std::string orchestrator_queue(const InstanceId& instance);
// `nonce` tells taps on one role apart; it is written as eight hex digits.
std::string debug_tap(const SwarmId& swarm, const Role& role, std::uint32_t nonce);

// Predictable, so that people can type them: `<swarmId>-<role>-<n>`, n from 1 within a run, and
// `<swarmId>-marshal`. Errc::invalid when the name would be longer than an id may be.
Result<InstanceId> bee_instance(const SwarmId& swarm, const Role& role, std::uint32_t n);
Result<InstanceId> controller_instance(const SwarmId& swarm);

} // namespace hive::wire
