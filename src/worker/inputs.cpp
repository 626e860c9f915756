#include "worker/inputs.hpp"

#include "pace/shape.hpp"
#include "worker/csv_feed.hpp"
#include "worker/redis_feed.hpp"

#include <fmt/format.h>

namespace hive::worker {
namespace {

Inputs without_pace(Inputs inputs) {
    inputs.hold = false;
    inputs.scheduler = {};
    inputs.csv.pace = {};
    inputs.redis.pace = {};
    return inputs;
}

} // namespace

Status check_inputs(const Inputs& inputs) {
    if (inputs.type != InputType::csv_dataset) return {};
    const auto table = csv::Table::open(table_of(inputs.csv));
    if (table) return {};
    return fail(
        table.error().code, fmt::format("config.inputs.csv.filePath: {}", table.error().detail));
}

bool paced(const Inputs& inputs, const WorkPorts& ports) {
    if (inputs.type == InputType::automatic) return ports.in.empty();
    return inputs.type != InputType::rabbitmq;
}

const SchedulerInput& pace_of(const Inputs& inputs) {
    if (inputs.type == InputType::csv_dataset) return inputs.csv.pace;
    return inputs.type == InputType::redis_dataset ? inputs.redis.pace : inputs.scheduler;
}

Duration delay_of(const Inputs& inputs) {
    if (inputs.type == InputType::redis_dataset) return inputs.redis.initial_delay;
    if (inputs.type != InputType::csv_dataset) return {};
    return pace::from_seconds(inputs.csv.startup_delay_seconds);
}

bool same_origin(const Inputs& one, const Inputs& other) {
    return without_pace(one) == without_pace(other);
}

Result<std::unique_ptr<Feed>> make_feed(const Inputs& inputs, const FeedParts& parts) {
    if (inputs.type == InputType::csv_dataset) return CsvFeed::open(inputs.csv, parts.clock);
    if (inputs.type == InputType::redis_dataset) {
        const Identity& self = parts.setup.self;
        return std::make_unique<RedisFeed>(
            inputs.redis,
            RedisFeed::Parts{
                .owner = fmt::format("{}:{}", self.swarm.text(), self.instance.text()),
                .seed = parts.seed,
                .ring = parts.ring});
    }
    return std::unique_ptr<Feed>{};
}

} // namespace hive::worker
