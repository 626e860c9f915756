#pragma once

#include "bus/work_bus.hpp"
#include "kernel/field.hpp"
#include "kernel/log.hpp"
#include "loop/strand.hpp"
#include "telemetry/metrics_board.hpp"
#include "template/sequences.hpp"
#include "worker/chance.hpp"
#include "worker/control.hpp"
#include "worker/setup.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hive::worker {

// What a workload works with; all of it outlives the workload.
struct WorkloadParts {
    const Setup& setup;
    bus::WorkBus& bus;
    loop::Strand& strand;
    const Clock& clock;
    Logger log;
    // It cannot go on, and says why: the bee ends and its controller decides what follows.
    std::function<void(std::string why)> give_up;
    telemetry::MetricsBoard* metrics = nullptr; // none: nobody in this process reads it
    // Shared by everything of the bee that has templates; there once its kind makes it.
    std::shared_ptr<templates::Sequences> sequences{};
    std::uint64_t entropy = 0; // of this life, for what no seed decides
    // Knows the seed of the configuration; there once its kind makes it.
    std::shared_ptr<const Chance> chance{};
};

// The part of a bee that is its own: everything is called on its strand and returns soon.
class Workload {
public:
    virtual ~Workload() = default;

    // The whole configuration, which has passed the kind's check.
    virtual void configure(const json::object& config) = 0;
    // Once set_enabled(false) has returned nothing is taken in any more. What is under way goes on
    // until it is done; what is not when the workload ends goes back to its queue.
    virtual void set_enabled(bool enabled) = 0;
    virtual bool busy() const { return false; } // something is under way
    virtual WorkloadReport report() = 0;        // asked about once a second
};

// One kind of bee, known by its role.
struct BeeKind {
    std::string role;
    // Says what is wrong with a configuration before anybody works with it.
    std::function<Status(const json::object& config)> check;
    std::function<json::object(const json::object& config)> shown{}; // without secrets; none: as is
    // For whoever helps to write a configuration: every problem with its place, and what there is
    // to set. A kind without them has its check only.
    std::function<FieldProblems(const json::object& config)> problems{};
    std::function<std::vector<FieldInfo>()> fields{};
    std::function<Result<std::unique_ptr<Workload>>(WorkloadParts parts)> make;
};

} // namespace hive::worker
