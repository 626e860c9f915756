#include "api/colony/workload_bees.hpp"

#include "api/rest/schemas.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

// What a controller says comes over a broker: anything may be missing.
std::string text_at(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value != nullptr && value->is_string() ? std::string{value->get_string()}
                                                  : std::string{};
}

WorkloadBee bee_in(const json::object& worker, const std::string& swarm) {
    WorkloadBee bee{
        .instance = text_at(worker, "instance"),
        .role = text_at(worker, "role"),
        .swarm = swarm,
        .health = text_at(worker, "health")};
    if (bee.health != "healthy" && bee.health != "stale") bee.health = "unknown";
    const auto* enabled = worker.if_contains("enabled");
    bee.enabled = enabled != nullptr && enabled->is_bool() && enabled->get_bool();
    const auto* tps = worker.if_contains("tps");
    if (tps != nullptr && tps->is_number()) bee.tps = tps->to_number<double>();
    return bee;
}

} // namespace

std::vector<WorkloadBee> workload_bees(const SwarmCourt* court) {
    std::vector<WorkloadBee> bees;
    if (court == nullptr) return bees;
    for (const auto& report : court->swarms()) {
        const auto* workers = report->aggregate.if_contains("workers");
        const bool gone = report->swarm.phase == orchestrator::Phase::removed;
        if (gone || workers == nullptr || !workers->is_array()) continue;
        for (const auto& item : workers->get_array()) {
            if (!item.is_object()) continue;
            auto bee = bee_in(item.get_object(), report->swarm.id.text());
            if (!bee.instance.empty()) bees.push_back(std::move(bee));
        }
    }
    std::ranges::sort(bees, {}, &WorkloadBee::instance);
    return bees;
}

json::object to_json(const WorkloadBee& bee) {
    return {{"id", bee.instance}, {"kind", "workload"},   {"role", bee.role},
            {"swarm", bee.swarm}, {"health", bee.health}, {"enabled", bee.enabled},
            {"tps", bee.tps}};
}

json::object workload_bee_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"kind", words_schema({"workload"})},
         {"role", text_schema()},
         {"swarm", text_schema()},
         {"health", words_schema({"healthy", "stale", "unknown"})},
         {"enabled", {{"type", "boolean"}}},
         {"tps", {{"type", "number"}, {"minimum", 0}}}});
}

} // namespace hive::rest
