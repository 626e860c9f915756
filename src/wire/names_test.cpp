#include "wire/names.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;

namespace {
const auto swarm = *SwarmId::parse("alpha");
const auto role = *Role::parse("processor");
const auto instance = *InstanceId::parse("alpha-processor-1");
const auto queue = *QueueName::parse("raw");
} // namespace

TEST_CASE("every broker object has the name the contract gives it") {
    CHECK(control_exchange == "ph.control");
    CHECK(work_exchange(swarm) == "ph.alpha.hive");
    CHECK(work_queue(swarm, queue) == "ph.work.alpha.raw");
    CHECK(dead_letter_queue(swarm, queue) == "ph.work.alpha.raw.dead");
    CHECK(control_queue(swarm, role, instance) == "ph.control.alpha.processor.alpha-processor-1");
    CHECK(orchestrator_queue(*InstanceId::parse("queen")) == "ph.control.orchestrator.queen");
    CHECK(debug_tap(swarm, role, 0xbeeU) == "ph.debug.alpha.processor.00000bee");
}

TEST_CASE("instances get names that people can predict") {
    CHECK(bee_instance(swarm, role, 1)->text() == "alpha-processor-1");
    CHECK(controller_instance(swarm)->text() == "alpha-marshal");
}

TEST_CASE("an instance name that would be too long is refused, not cut") {
    const auto longest = *SwarmId::parse(std::string(63, 's'));
    CHECK(controller_instance(longest).error().code == Errc::invalid);
    CHECK(bee_instance(longest, role, 1).error().code == Errc::invalid);
}
