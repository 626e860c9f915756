// The plan of the swarm: what is due is told to the bees it is for.
#include "controller/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::controller {
namespace {

// A number between two whole ones this far apart is whole as well: a rate does not mind, and a
// count could not be anything else.
constexpr double whole_from = 10;

bool is_for(const plan::Target& target, const BeeSpec& bee) {
    if (!target.instance.empty()) {
        // A scenario does not know what its swarm will be called: `generator-1` will do.
        const std::string& name = bee.instance.text();
        return name == target.instance || (name.ends_with("-" + target.instance) &&
                                           target.instance.starts_with(bee.role.text() + "-"));
    }
    if (!target.bees.empty()) return std::ranges::find(target.bees, bee.bee) != target.bees.end();
    return target.role.empty() || bee.role.text() == target.role;
}

double between(double from, double to, double share) {
    const double value = from + (to - from) * share;
    const bool whole = from == std::floor(from) && to == std::floor(to);
    return whole && std::abs(to - from) >= whole_from ? std::round(value) : value;
}

void move_ramp(Step& step, const plan::Step& ramp, const plan::Due& due) {
    for (Bee& bee : step.state.bees) {
        if (!is_for(ramp.target, bee.spec)) continue;
        const std::pair key{ramp.id, bee.spec.instance.text()};
        if (due.begins) {
            const auto from = ramp.from ? ramp.from : plan::number_at(bee.config, ramp.field);
            if (!from) {
                alert(
                    step, wire::AlertLevel::warn, "plan.no-start-value",
                    fmt::format(
                        "step '{}': {} has no number at '{}' to begin with; give the step a 'from'",
                        ramp.id, bee.spec.instance.text(), ramp.field));
                continue;
            }
            step.state.ramps_from[key] = *from;
        }
        const auto from = step.state.ramps_from.find(key);
        if (from == step.state.ramps_from.end()) continue;
        configure_bee(
            step, bee, plan::patch_for(ramp.field, between(from->second, ramp.to, due.share)));
        if (due.share >= 1) step.state.ramps_from.erase(from);
    }
}

void announce(Step& step, const plan::Step& begun) {
    const auto progress = step.state.timeline.progress(step.moment.now);
    const std::string name = begun.name.empty() ? begun.id : begun.name;
    step.publish(wire::Envelope::alert(
        step.sender(), step.self(),
        {.level = wire::AlertLevel::info,
         .code = "plan.step",
         .message = fmt::format(
             "step '{}': {} for {}", name, plan::name_of(begun.kind), plan::to_text(begun.target)),
         .context = json::object{
             {"stepId", begun.id},
             {"type", plan::name_of(begun.kind)},
             {"run", progress.run},
             {"elapsedMs",
              std::chrono::duration_cast<std::chrono::milliseconds>(progress.elapsed).count()}}}));
    step.changed = true;
}

void perform(Step& step, const plan::Due& due) {
    const plan::Step planned = step.state.timeline.plan().steps[due.step];
    if (due.begins) announce(step, planned);
    if (planned.kind == plan::Kind::ramp) return move_ramp(step, planned, due);
    if (planned.kind == plan::Kind::spike) return; // for those who look ahead
    for (Bee& bee : step.state.bees) {
        if (!is_for(planned.target, bee.spec)) continue;
        if (planned.kind == plan::Kind::config_update) {
            configure_bee(step, bee, planned.config);
        } else {
            want(step, bee, planned.kind == plan::Kind::start);
        }
    }
}

} // namespace

void configure_bee(Step& step, Bee& bee, const json::object& patch) {
    json::object config = patch;
    config.erase("enabled");
    json::value merged = bee.config;
    merge_patch(merged, config);
    bee.config = merged.as_object();
    give(step, bee, patch);
}

Status check_targets(const plan::Plan& plan, const State& state) {
    if (state.layout.bees.empty()) return {}; // the template has not come yet
    std::string problems;
    for (const plan::Step& planned : plan.steps) {
        const bool known = std::ranges::any_of(
            state.layout.bees, [&](const BeeSpec& spec) { return is_for(planned.target, spec); });
        if (known || planned.target.is_swarm()) continue;
        if (!problems.empty()) problems += "; ";
        problems += fmt::format(
            "step '{}' is for {}, and there is none in this swarm", planned.id,
            plan::to_text(planned.target));
    }
    return problems.empty() ? Status{} : fail(Errc::invalid, "plan: " + problems);
}

void drive_plan(Step& step) {
    State& state = step.state;
    plan::Timeline& timeline = state.timeline;
    if (timeline.plan().empty()) return;
    const bool runs = state.phase == Phase::running && !state.paused;
    if (runs && !timeline.running()) {
        timeline.run(step.moment.now);
    } else if (!runs && timeline.running()) {
        timeline.pause(step.moment.now);
    }
    if (!runs || timeline.complete()) return;
    for (const plan::Due& due : timeline.due(step.moment.now)) perform(step, due);
    if (!timeline.complete()) return;
    alert(step, wire::AlertLevel::info, "plan.completed", "the plan has come to its end");
    step.changed = true;
}

} // namespace hive::controller
