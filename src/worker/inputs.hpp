#pragma once

#include "worker/feed.hpp"
#include "worker/flow_config.hpp"
#include "worker/setup.hpp"

#include <functional>
#include <memory>

namespace hive::worker {

// What can only be judged by looking outside: whether the file of a dataset can be read.
Status check_inputs(const Inputs& inputs);

// Whether items are paced rather than taken from the bee's queues.
bool paced(const Inputs& inputs, const WorkPorts& ports);
const SchedulerInput& pace_of(const Inputs& inputs);
Duration delay_of(const Inputs& inputs); // before the first item
// Whether a change is one of pace alone, which a source takes up while it runs.
bool same_origin(const Inputs& one, const Inputs& other);

struct FeedParts { // all outlive the feed
    const Setup& setup;
    const Clock& clock;
    std::function<void()> ring;
    std::uint64_t seed = 1;
};
// None for a scheduler.
Result<std::unique_ptr<Feed>> make_feed(const Inputs& inputs, const FeedParts& parts);

} // namespace hive::worker
