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
    return bee;
}

// What a bee does a second is told for all its replicas together: here each has its share.
double share_of(const json::object& worker, const json::array& workers, const json::object& rates) {
    const std::string bee = text_at(worker, "beeId");
    const auto* rate = rates.if_contains(bee);
    if (rate == nullptr || !rate->is_number()) return 0;
    const auto replicas = std::ranges::count_if(workers, [&](const json::value& one) {
        return one.is_object() && text_at(one.get_object(), "beeId") == bee;
    });
    return rate->to_number<double>() / static_cast<double>(std::max<std::ptrdiff_t>(1, replicas));
}

} // namespace

std::vector<WorkloadBee> workload_bees(const SwarmCourt* court) {
    std::vector<WorkloadBee> bees;
    if (court == nullptr) return bees;
    for (const auto& report : court->swarms()) {
        const auto* workers = report->aggregate.if_contains("workers");
        const bool gone = report->swarm.phase == orchestrator::Phase::removed;
        if (gone || workers == nullptr || !workers->is_array()) continue;
        const auto* told = report->aggregate.if_contains("rates");
        const json::object rates =
            told != nullptr && told->is_object() ? told->get_object() : json::object{};
        for (const auto& item : workers->get_array()) {
            if (!item.is_object()) continue;
            auto bee = bee_in(item.get_object(), report->swarm.id.text());
            bee.tps = share_of(item.get_object(), workers->get_array(), rates);
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
