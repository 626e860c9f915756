#include "scenario/steering.hpp"

#include "guard/steered.hpp"
#include "scenario/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hive::scenario {
namespace {

// Who fills the queue at a rate, and why the others cannot be steered.
struct Fillers {
    std::vector<std::string> steered{};
    std::vector<std::string> others{};
};

Fillers fillers_of(
    const std::string& queue, std::span<const Bee> bees, std::span<const json::object> configs) {
    Fillers out;
    for (std::size_t i = 0; i < bees.size(); ++i) {
        const Bee& bee = bees[i];
        if (std::ranges::find(bee.out, queue, &Port::queue) == bee.out.end()) continue;
        const auto field = guard::rate_field_of({configs[i], !bee.in.empty()});
        if (field) {
            out.steered.push_back(bee.id);
        } else {
            out.others.push_back(fmt::format("'{}' {}", bee.id, field.error().detail));
        }
    }
    return out;
}

} // namespace

std::vector<std::vector<SteeringProblem>> find_producers(
    std::span<Guard> guards, std::span<const Bee> bees, std::span<const json::object> configs) {
    std::vector<std::vector<SteeringProblem>> problems(guards.size());
    std::map<std::string, std::string> steered_by; // bee, queue of the guard
    for (std::size_t i = 0; i < guards.size(); ++i) {
        Guard& guard = guards[i];
        Fillers fillers = fillers_of(guard.queue, bees, configs);
        guard.producers = std::move(fillers.steered);
        if (guard.producers.empty()) {
            problems[i].push_back(
                {"guard-producer", fillers.others.empty()
                                       ? fmt::format("nobody fills '{}'", guard.queue)
                                       : fillers.others.front()});
        }
        for (const std::string& bee : guard.producers) {
            const auto [other, first] = steered_by.emplace(bee, guard.queue);
            if (first) continue;
            problems[i].push_back(
                {"guard-conflict",
                 fmt::format("the guard of '{}' steers '{}' already", other->second, bee)});
        }
    }
    return problems;
}

void check_guards(const std::vector<json::object>& configs, Checking& checking) {
    std::vector<Guard> guards = checking.loaded.scenario.guards;
    const auto problems = find_producers(guards, checking.loaded.scenario.bees, configs);
    for (std::size_t i = 0; i < guards.size(); ++i) {
        for (const SteeringProblem& problem : problems[i]) {
            const bool conflict = problem.code == "guard-conflict";
            checking.report.error(
                {.code = problem.code,
                 .at = guards[i].queue_at,
                 .key = guards[i].key + ".queueAlias",
                 .message = problem.message,
                 .hint = conflict ? "one guard for each producer"
                                  : "the queue must be filled by a bee whose input is SCHEDULER, "
                                    "REDIS_DATASET or CSV_DATASET at a ratePerSec"});
        }
    }
}

} // namespace hive::scenario
