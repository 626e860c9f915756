#include "scenario/model_json.hpp"

#include "kernel/duration.hpp"

#include <array>

namespace hive::scenario {
namespace {

json::object ports_json(const std::vector<Port>& ports) {
    json::object out;
    for (const Port& port : ports) out[port.id] = port.queue;
    return out;
}

json::object bee_json(const Bee& bee) {
    json::object out{
        {"id", bee.id},
        {"role", bee.role},
        {"kind", bee.kind},
        {"replicas", static_cast<std::int64_t>(bee.replicas)},
        {"work", {{"in", ports_json(bee.in)}, {"out", ports_json(bee.out)}}},
        {"config", bee.config}};
    if (!bee.restart.empty()) out["restart"] = bee.restart;
    if (!bee.env.empty()) {
        json::object env;
        for (const auto& [name, value] : bee.env) env[name] = value;
        out["env"] = std::move(env);
    }
    return out;
}

json::object edge_json(const Edge& edge) {
    json::object out{
        {"id", edge.id},
        {"from", {{"beeId", edge.from.bee}, {"port", edge.from.port}}},
        {"to", {{"beeId", edge.to.bee}, {"port", edge.to.port}}}};
    if (!edge.selector.empty()) out["selector"] = edge.selector;
    return out;
}

std::string_view name_of(StepType type) {
    switch (type) {
    case StepType::config_update: return "config-update";
    case StepType::start: return "start";
    case StepType::stop: return "stop";
    case StepType::ramp: return "ramp";
    case StepType::spike: return "spike";
    }
    return "config-update";
}

std::string_view name_of(Target::Scope scope) {
    switch (scope) {
    case Target::Scope::swarm: return "swarm";
    case Target::Scope::bees: return "bees";
    case Target::Scope::instance: return "instance";
    }
    return "swarm";
}

json::object step_json(const Step& step) {
    json::object out{
        {"id", step.id},
        {"type", name_of(step.type)},
        {"time", format_duration(step.time)},
        {"target", {{"scope", name_of(step.target.scope)}, {"name", step.target.name}}}};
    if (!step.name.empty()) out["name"] = step.name;
    if (!step.config.empty()) out["config"] = step.config;
    if (step.duration > Duration::zero()) out["duration"] = format_duration(step.duration);
    if (step.ramp) {
        out["field"] = step.ramp->field;
        out["to"] = step.ramp->to;
        if (step.ramp->from) out["from"] = *step.ramp->from;
    }
    return out;
}

json::object plan_json(const Plan& plan) {
    json::array steps;
    for (const Step& step : plan.steps) steps.push_back(step_json(step));
    return {
        {"runs", static_cast<std::int64_t>(plan.runs)},
        {"length", format_duration(plan.length)},
        {"steps", std::move(steps)}};
}

json::object guard_json(const Guard& guard) {
    json::array producers;
    for (const std::string& producer : guard.producers) producers.emplace_back(producer);
    return {{"queue", guard.queue},
            {"enabled", guard.enabled},
            {"targetDepth", guard.target_depth},
            {"minDepth", guard.min_depth},
            {"maxDepth", guard.max_depth},
            {"producers", std::move(producers)}};
}

json::object variables_json(const Variables& variables) {
    constexpr std::array<std::string_view, 5> types{"string", "int", "float", "bool", "object"};
    json::array definitions;
    for (const Variable& each : variables.definitions) {
        definitions.push_back(json::object{
            {"name", each.name},
            {"scope", each.scope == VariableScope::sut ? "sut" : "global"},
            {"type", types[static_cast<std::size_t>(each.type)]},
            {"required", each.required}});
    }
    json::array profiles;
    for (const Profile& each : variables.profiles) {
        profiles.push_back(json::object{{"id", each.id}, {"name", each.name}});
    }
    return {{"definitions", std::move(definitions)}, {"profiles", std::move(profiles)}};
}

json::object sut_json(const Sut& sut) {
    json::object endpoints;
    for (const auto& [name, endpoint] : sut.endpoints) {
        endpoints[name] = {{"kind", endpoint.kind}, {"baseUrl", endpoint.base_url}};
    }
    return {{"id", sut.id}, {"name", sut.name}, {"endpoints", std::move(endpoints)}};
}

template <class All, class One>
json::array list_of(const All& all, One one) {
    json::array out;
    for (const auto& each : all) out.push_back(one(each));
    return out;
}

} // namespace

json::object to_json(const Scenario& scenario) {
    json::object queues;
    for (const auto& [name, settings] : scenario.queues) {
        queues[name] = {{"maxLength", static_cast<std::int64_t>(settings.max_length)}};
    }
    json::array thresholds;
    for (const auto& each : scenario.thresholds) thresholds.emplace_back(each.expr);
    json::array suts;
    for (const auto& [id, sut] : scenario.suts) suts.push_back(sut_json(sut));
    return {
        {"id", scenario.id},
        {"name", scenario.name},
        {"description", scenario.description},
        {"protocolVersion", scenario.protocol_version},
        {"bees", list_of(scenario.bees, bee_json)},
        {"edges", list_of(scenario.edges, edge_json)},
        {"queues", std::move(queues)},
        {"plan", plan_json(scenario.plan)},
        {"guards", list_of(scenario.guards, guard_json)},
        {"thresholds", std::move(thresholds)},
        {"variables", variables_json(scenario.variables)},
        {"suts", std::move(suts)}};
}

} // namespace hive::scenario
