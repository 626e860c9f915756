#include "worker/outputs.hpp"

#include "worker/choosing_sink.hpp"
#include "worker/queue_sink.hpp"
#include "worker/redis_sink.hpp"

namespace hive::worker {

Status check_outputs(const Outputs& outputs) {
    if (outputs.type != OutputType::redis) return {};
    const auto routing = RedisRouting::compile(outputs.redis, "outputs.redis");
    return routing ? Status{} : fail(routing.error());
}

Result<std::unique_ptr<Sink>> make_sink(const Outputs& outputs, const SinkParts& parts) {
    if (outputs.type == OutputType::redis) {
        return RedisSink::open(
            outputs.redis, {.clock = parts.clock, .sequences = parts.sequences, .seed = parts.seed},
            parts.ring);
    }
    const WorkPorts& ports = parts.setup.ports;
    if (ports.out.empty() || outputs.type == OutputType::none) return std::unique_ptr<Sink>{};
    if (!ports.selectors.empty()) return ChoosingSink::open(outputs.rabbit, parts);
    return QueueSink::open(
        parts.bus, {.ports = &ports, .output = outputs.rabbit, .ring = parts.ring});
}

} // namespace hive::worker
