#include "api/colony/swarm_plan.hpp"

#include "kernel/duration.hpp"
#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

using orchestrator::CreateAsked;
using orchestrator::Queen;
using orchestrator::Wish;
using orchestrator::WishAsked;

constexpr std::size_t steps_shown = 100;

const CreateAsked* creation_in(const Order& order, const SwarmId& swarm) {
    for (const Queen::Ask& ask : order.asks) {
        const auto* create = std::get_if<CreateAsked>(&ask);
        if (create != nullptr && create->swarm == swarm) return create;
    }
    return nullptr;
}

json::object plan_of(const Queen::Ask& ask, const Order& order, const SwarmCourt* court) {
    if (const auto* create = std::get_if<CreateAsked>(&ask)) return create->plan;
    const auto* wish = std::get_if<WishAsked>(&ask);
    if (wish == nullptr || wish->wish != Wish::running) return {};
    if (const auto* create = creation_in(order, wish->swarm)) return create->plan;
    const auto report = court == nullptr ? nullptr : court->find(wish->swarm);
    return report == nullptr ? json::object{} : report->swarm.plan;
}

json::object shown(const plan::Step& step) {
    json::object out{
        {"at", format_duration(step.at)},
        {"to", to_text(step.target)},
        {"does", name_of(step.kind)}};
    if (!step.name.empty()) out["name"] = step.name;
    if (step.lasts > Duration::zero()) out["lasts"] = format_duration(step.lasts);
    if (!step.config.empty()) out["config"] = step.config;
    if (step.kind == plan::Kind::ramp) {
        out["field"] = step.field;
        if (step.from) out["from"] = *step.from;
        out["target"] = step.to;
    }
    return out;
}

// What a person would have to be allowed to do the same; empty: nothing is changed.
std::string_view act_of(plan::Kind kind) {
    switch (kind) {
    case plan::Kind::config_update:
    case plan::Kind::ramp: return "swarm.config";
    case plan::Kind::stop: return "swarm.stop";
    case plan::Kind::start: return "swarm.start";
    case plan::Kind::spike: return "";
    }
    std::abort();
}

} // namespace

Planned planned_by(const Queen::Ask& ask, const Order& order, const SwarmCourt* court) {
    Planned planned;
    const auto plan = plan::read_plan(plan_of(ask, order, court));
    if (!plan) return planned; // the orchestrator refuses it as well
    for (const plan::Step& step : plan->steps) {
        if (planned.steps.size() < steps_shown) planned.steps.push_back(shown(step));
        const std::string act{act_of(step.kind)};
        const bool known =
            act.empty() || std::ranges::find(planned.acts, act) != planned.acts.end();
        if (!known) planned.acts.push_back(act);
    }
    const std::size_t count = plan->steps.size();
    if (count > steps_shown) {
        planned.steps.emplace_back(fmt::format("and {} more", count - steps_shown));
    }
    return planned;
}

} // namespace hive::rest
