#pragma once

#include "bus/work_bus.hpp"
#include "template/sequences.hpp"
#include "worker/flow_config.hpp"
#include "worker/setup.hpp"
#include "worker/sink.hpp"

#include <functional>
#include <memory>

namespace hive::worker {

Status check_outputs(const Outputs& outputs); // patterns and templates among them

struct SinkParts { // all outlive the sink
    const Setup& setup;
    bus::WorkBus& bus;
    const Clock& clock;
    std::function<void()> ring;
    std::shared_ptr<templates::Sequences> sequences;
    std::uint64_t seed = 1;
};
// None when items go nowhere.
Result<std::unique_ptr<Sink>> make_sink(const Outputs& outputs, const SinkParts& parts);

} // namespace hive::worker
