#include "scenario/wire_plan.hpp"

#include "plan/plan.hpp"

namespace hive::scenario {
namespace {

plan::Kind kind_of(StepType type) {
    switch (type) {
    case StepType::config_update: return plan::Kind::config_update;
    case StepType::start: return plan::Kind::start;
    case StepType::stop: return plan::Kind::stop;
    case StepType::ramp: return plan::Kind::ramp;
    case StepType::spike: return plan::Kind::spike;
    }
    return plan::Kind::config_update;
}

// By ids: roles of a scenario are names that people gave, and none of the controller's business.
plan::Target target_of(const Target& target) {
    switch (target.scope) {
    case Target::Scope::swarm: return {};
    case Target::Scope::instance: return {.instance = target.name};
    case Target::Scope::bees: return {.bees = target.bees};
    }
    return {};
}

} // namespace

json::object wire_plan(const Compiled& compiled) {
    plan::Plan out{.runs = compiled.plan.runs, .length = compiled.plan.length};
    for (const Step& step : compiled.plan.steps) {
        plan::Step wired{
            .id = step.id,
            .name = step.name,
            .target = target_of(step.target),
            .kind = kind_of(step.type),
            .at = step.time,
            .lasts = step.duration,
            .config = step.config};
        if (step.ramp) {
            wired.field = step.ramp->field;
            wired.from = step.ramp->from;
            wired.to = step.ramp->to;
        }
        out.steps.push_back(std::move(wired));
    }
    json::object text = plan::to_json(out);
    if (compiled.guards.empty()) return text;
    json::array guards;
    for (const Guard& guard : compiled.guards) guards.push_back(guard::to_json(guard));
    text["trafficPolicy"] = {{"bufferGuards", std::move(guards)}};
    return text;
}

} // namespace hive::scenario
