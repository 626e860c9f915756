#include "plan/plan.hpp"

#include "kernel/duration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace hive::plan {
namespace {

constexpr std::size_t steps_max = 10'000;
constexpr std::uint32_t runs_max = 1'000'000;
constexpr Duration time_max = std::chrono::hours{24 * 366};

struct StepText {
    std::string id{};
    std::string name{};
    Kind kind = Kind::config_update;
    Duration time{};
    Duration duration{};
    json::object config{};
    std::string field{};
    std::optional<double> from{};
    std::optional<double> to{};
};
void describe(FieldTable& fields, StepText& step) {
    fields.add("stepId", step.id).required();
    fields.add("name", step.name);
    fields.add("type", step.kind);
    fields.add("time", step.time).required().range(Duration::zero(), time_max);
    fields.add("duration", step.duration).range(Duration::zero(), time_max);
    fields.add("config", step.config);
    fields.add("field", step.field);
    fields.add("from", step.from);
    fields.add("to", step.to);
    fields.rule([&step]() -> Status {
        const bool ramp = step.kind == Kind::ramp;
        if (ramp && (step.field.empty() || !step.to || step.duration <= Duration::zero())) {
            return fail(Errc::invalid, "a ramp needs 'field', 'to' and a 'duration'");
        }
        if (!ramp && (!step.field.empty() || step.from || step.to)) {
            return fail(Errc::invalid, "only a ramp has 'field', 'from' and 'to'");
        }
        if (step.kind != Kind::config_update && !step.config.empty()) {
            return fail(Errc::invalid, "only a config-update has a 'config'");
        }
        return {};
    });
}

struct BeeText {
    std::string role{};
    std::string bee{};
    std::vector<std::string> bees{};
    std::string instance{};
    std::vector<StepText> steps{};
};
void describe(FieldTable& fields, BeeText& bee) {
    fields.add("role", bee.role);
    fields.add("beeId", bee.bee);
    fields.add("beeIds", bee.bees);
    fields.add("instanceId", bee.instance);
    fields.add("steps", bee.steps).at_most(steps_max);
    fields.rule([&bee]() -> Status {
        const bool named = !bee.bee.empty() || !bee.bees.empty();
        if (named || !bee.role.empty() || !bee.instance.empty()) return {};
        return fail(
            Errc::invalid,
            "says for no one; give a 'role', a 'beeId', 'beeIds' or an 'instanceId'");
    });
}

struct PlanText {
    std::vector<StepText> swarm{};
    std::vector<BeeText> bees{};
    std::uint32_t runs = 1;
    Duration length{};
};
void describe(FieldTable& fields, PlanText& plan) {
    fields.add("swarm", plan.swarm).at_most(steps_max);
    fields.add("bees", plan.bees).at_most(steps_max);
    fields.add("runs", plan.runs).range(1, runs_max);
    fields.add("length", plan.length).range(Duration::zero(), time_max);
}

Target target_of(const BeeText& text) {
    Target target{text.role, text.bees, text.instance};
    if (!text.bee.empty()) target.bees.push_back(text.bee);
    return target;
}

Step step_of(StepText text, Target target) {
    return {
        .id = std::move(text.id),
        .name = std::move(text.name),
        .target = std::move(target),
        .kind = text.kind,
        .at = text.time,
        .lasts = text.duration,
        .config = std::move(text.config),
        .field = std::move(text.field),
        .from = text.from,
        .to = text.to.value_or(0)};
}

// Those of one moment stay as they were written.
void sort_by_time(std::vector<Step>& steps) {
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::pair{steps[a].at, a} < std::pair{steps[b].at, b};
    });
    std::vector<Step> sorted;
    sorted.reserve(steps.size());
    for (const std::size_t index : order) sorted.push_back(std::move(steps[index]));
    steps = std::move(sorted);
}

json::object to_json(const Step& step) {
    json::object out{
        {"stepId", step.id}, {"type", name_of(step.kind)}, {"time", format_duration(step.at)}};
    if (!step.name.empty()) out["name"] = step.name;
    if (step.lasts > Duration::zero()) out["duration"] = format_duration(step.lasts);
    if (!step.config.empty()) out["config"] = step.config;
    if (step.kind != Kind::ramp) return out;
    out["field"] = step.field;
    if (step.from) out["from"] = *step.from;
    out["to"] = step.to;
    return out;
}

} // namespace

std::span<const Named<Kind>> names_of(Kind) {
    static constexpr std::array names{
        Named<Kind>{"config-update", Kind::config_update}, Named<Kind>{"start", Kind::start},
        Named<Kind>{"stop", Kind::stop}, Named<Kind>{"ramp", Kind::ramp},
        Named<Kind>{"spike", Kind::spike}};
    return names;
}

std::string_view name_of(Kind kind) noexcept {
    return std::ranges::find(names_of(kind), kind, &Named<Kind>::value)->name;
}

std::string to_text(const Target& target) {
    if (!target.instance.empty()) return target.instance;
    if (!target.bees.empty()) {
        return fmt::format(
            "bee{} {}", target.bees.size() > 1 ? "s" : "", fmt::join(target.bees, ", "));
    }
    return target.role.empty() ? "the swarm" : fmt::format("every {}", target.role);
}

Result<Plan> read_plan(const json::object& text) {
    auto read = bind<PlanText>(text, "plan");
    if (!read) return fail(read.error());
    Plan plan{.runs = read->runs};
    for (auto& step : read->swarm) plan.steps.push_back(step_of(std::move(step), {}));
    for (auto& bee : read->bees) {
        for (auto& step : bee.steps) {
            plan.steps.push_back(step_of(std::move(step), target_of(bee)));
        }
    }
    if (plan.steps.size() > steps_max) {
        return fail(Errc::invalid, fmt::format("plan: a plan has at most {} steps", steps_max));
    }
    std::set<std::string_view> ids;
    for (const Step& step : plan.steps) {
        if (!ids.insert(step.id).second) {
            return fail(Errc::invalid, fmt::format("plan: two steps are called '{}'", step.id));
        }
    }
    sort_by_time(plan.steps);
    Duration end{};
    for (const Step& step : plan.steps) end = std::max(end, step.end());
    plan.length = std::max(read->length, end);
    if (plan.runs > 1 && plan.length <= Duration::zero()) {
        return fail(Errc::invalid, "plan.length: several runs need a length of more than nothing");
    }
    return plan;
}

json::object to_json(const Plan& plan) {
    json::object out;
    json::array swarm;
    json::array bees;
    for (const Step& step : plan.steps) {
        if (step.target.is_swarm()) {
            swarm.push_back(to_json(step));
            continue;
        }
        json::object bee{{"steps", json::array{to_json(step)}}};
        if (!step.target.role.empty()) bee["role"] = step.target.role;
        if (step.target.bees.size() == 1) {
            bee["beeId"] = step.target.bees.front();
        } else if (!step.target.bees.empty()) {
            bee["beeIds"] = json::array(step.target.bees.begin(), step.target.bees.end());
        }
        if (!step.target.instance.empty()) bee["instanceId"] = step.target.instance;
        bees.push_back(std::move(bee));
    }
    if (!swarm.empty()) out["swarm"] = std::move(swarm);
    if (!bees.empty()) out["bees"] = std::move(bees);
    if (plan.runs > 1) out["runs"] = plan.runs;
    if (plan.length > Duration::zero()) out["length"] = format_duration(plan.length);
    return out;
}

json::object patch_for(std::string_view field, double value) {
    const auto dot = field.find('.');
    if (dot == std::string_view::npos) {
        // Whole numbers without a fraction: a count is read as no other.
        const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
        if (whole) return {{field, static_cast<std::int64_t>(value)}};
        return {{field, value}};
    }
    return {{field.substr(0, dot), patch_for(field.substr(dot + 1), value)}};
}

std::optional<double> number_at(const json::object& config, std::string_view field) {
    const auto dot = field.find('.');
    const auto* value = config.if_contains(field.substr(0, dot));
    if (value == nullptr) return std::nullopt;
    if (dot != std::string_view::npos) {
        const auto* inner = value->if_object();
        return inner == nullptr ? std::nullopt : number_at(*inner, field.substr(dot + 1));
    }
    return value->is_number() ? std::optional{value->to_number<double>()} : std::nullopt;
}

} // namespace hive::plan
