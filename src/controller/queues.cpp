// Depths of the work queues, as the broker tells them.
#include "controller/step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hive::controller {
namespace {

// Provisioning declares them; a removal takes them away.
bool must_exist(const State& state) {
    return state.templated && state.phase != Phase::provisioning && state.phase < Phase::removing;
}

} // namespace

void inspect_if_due(Step& step) {
    State& state = step.state;
    if (state.bees.empty() || !must_exist(state) || step.moment.now < state.next_inspection) return;
    state.next_inspection = step.moment.now + step.settings.inspect_every;
    auto queues = work_queues(state.swarm, state.layout);
    if (!queues.empty()) step.out.emplace_back(InspectQueues{std::move(queues)});
}

void queues_inspected(Step& step, const QueuesInspected& seen) {
    State& state = step.state;
    if (!must_exist(state)) return;
    state.queues = seen.queues;
    std::vector<std::string_view> missing;
    for (const auto& [name, depth] : state.queues) {
        if (!depth) missing.emplace_back(name);
    }
    if (missing.empty() == !state.queues_missing) return;
    state.queues_missing = !missing.empty();
    step.changed = true;
    if (missing.empty()) {
        return alert(
            step, wire::AlertLevel::info, "io.queues-back", "every work queue is there again");
    }
    alert(
        step, wire::AlertLevel::error, "io.queue-missing",
        fmt::format(
            "work queues are missing and are declared again: {}", fmt::join(missing, ", ")));
    step.out.emplace_back(Declare{work_layout(state.swarm, state.layout)});
}

json::object queue_stats(const State& state) {
    json::object stats;
    for (const auto& [name, depth] : state.queues) {
        if (!depth) {
            stats[name] = nullptr; // missing is not the same as empty
            continue;
        }
        json::object one{{"depth", depth->depth}, {"consumers", depth->consumers}};
        if (depth->oldest_age_sec) one["oldestAgeSec"] = *depth->oldest_age_sec;
        stats[name] = std::move(one);
    }
    return stats;
}

} // namespace hive::controller
