#include "kernel/duration.hpp"
#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

namespace hive::scenario {
namespace {

constexpr std::size_t steps_max = 10'000;
constexpr Duration longest = std::chrono::hours{24 * 365};

class PlanReader {
public:
    explicit PlanReader(Reading& reading)
        : reading_{reading}, report_{reading.report}, plan_{reading.scenario.plan} {}

    void read(const YamlNode& node) {
        Members plan{node, "plan", report_};
        if (const YamlNode* bees = plan.take_list("bees")) {
            for (std::size_t i = 0; i < bees->items.size(); ++i) {
                read_bee(bees->items[i], fmt::format("plan.bees[{}]", i));
            }
        }
        if (const YamlNode* swarm = plan.take_list("swarm")) read_steps(*swarm, "plan.swarm", {});
        plan.whole("runs", {1, 1e6}, plan_.runs);
        const auto duration = plan.duration("duration");
        plan.ignore({"profiles", "endpoints", "pattern"}, "a plan is made of steps");
        plan.refuse_others();
        std::ranges::sort(plan_.steps, {}, [](const Step& step) {
            return std::tuple{step.time, step.at.line, step.at.column};
        });
        for (const Step& step : plan_.steps) {
            plan_.length = std::max(plan_.length, step.time + step.duration);
        }
        if (duration) stretch(*plan.take("duration"), *duration);
    }

private:
    void stretch(const YamlNode& node, Duration duration) {
        if (duration < plan_.length) {
            report_.error(
                {.code = "plan-too-short",
                 .at = node.at,
                 .key = "plan.duration",
                 .message = fmt::format(
                     "the last step ends after {}, behind the end of the run",
                     format_duration(plan_.length)),
                 .hint = "make it longer, or remove it"});
        }
        plan_.length = std::max(plan_.length, duration);
    }

    void read_bee(const YamlNode& node, const std::string& path) {
        Members bee{node, path, report_};
        if (node.kind != YamlNode::Kind::mapping) return;
        const std::string instance = bee.text("instanceId");
        const std::string role = bee.text("role");
        const std::string id = bee.text("beeId");
        Target target;
        if (!instance.empty()) {
            target = {.scope = Target::Scope::instance, .name = instance};
            check_instance(bee, instance);
        } else {
            target = id.empty() ? bees_in_role(role) : bees_with_id(id);
            if (target.bees.empty()) refuse_target(bee, target.name);
        }
        if (const YamlNode* steps = bee.take_list("steps")) {
            read_steps(*steps, bee.key("steps"), target);
        }
        bee.refuse_others();
    }

    Target bees_that(const std::string& name, std::string Bee::* member) const {
        Target target{.scope = Target::Scope::bees, .name = name};
        for (const Bee& bee : reading_.scenario.bees) {
            if (bee.*member == name) target.bees.push_back(bee.id);
        }
        return target;
    }

    Target bees_with_id(const std::string& id) const { return bees_that(id, &Bee::id); }

    // A role stands for all bees that have it. Where nobody does it is the name of one, or a kind.
    Target bees_in_role(const std::string& role) const {
        for (std::string Bee::* member : {&Bee::role, &Bee::id}) {
            if (Target target = bees_that(role, member); !target.bees.empty()) return target;
        }
        return bees_that(role, &Bee::kind);
    }

    void refuse_target(const Members& at, const std::string& name) {
        std::vector<std::string_view> known;
        for (const Bee& bee : reading_.scenario.bees) known.emplace_back(bee.id);
        const auto meant = nearest(name, known);
        const YamlNode* written = at.node().find("beeId");
        if (written == nullptr) written = at.node().find("role");
        report_.error(
            {.code = "unknown-target",
             .at = written != nullptr ? written->at : at.node().at,
             .key = at.path(),
             .message = name.empty() ? std::string{"names no role, beeId or instanceId"}
                                     : fmt::format("there is no bee '{}'", printable(name)),
             .hint = meant ? fmt::format("did you mean '{}'?", *meant) : ""});
    }

    // `<swarm>-<kind>-<n>`, of which the swarm is not known yet.
    void check_instance(Members& bee, std::string_view instance) {
        const auto dash = instance.rfind('-');
        std::uint32_t number = 0;
        if (dash != instance.npos) {
            std::from_chars(instance.data() + dash + 1, instance.data() + instance.size(), number);
        }
        const std::string_view before = instance.substr(0, std::min(dash, instance.size()));
        std::uint32_t count = 0;
        for (const Bee& each : reading_.scenario.bees) {
            if (before == each.kind || before.ends_with("-" + each.kind)) count += each.replicas;
        }
        if (number >= 1 && number <= count) return;
        report_.error(
            {.code = "unknown-target",
             .at = bee.take("instanceId")->at,
             .key = bee.key("instanceId"),
             .message = fmt::format("there will be no instance '{}'", printable(instance)),
             .hint = "instances are called <swarm>-<kind>-<n>; generator-1 names the first "
                     "generator of any swarm"});
    }

    void read_steps(const YamlNode& list, const std::string& path, const Target& target) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            if (plan_.steps.size() == steps_max) {
                return report_.error(
                    {.code = "too-many",
                     .at = list.items[i].at,
                     .key = path,
                     .message = fmt::format("a plan has at most {} steps", steps_max)});
            }
            read_step(list.items[i], fmt::format("{}[{}]", path, i), target);
        }
    }

    void read_step(const YamlNode& node, const std::string& path, const Target& target) {
        Members step{node, path, report_};
        if (node.kind != YamlNode::Kind::mapping) return;
        Step out{.id = step.required_text("stepId"), .target = target, .at = node.at};
        out.name = step.text("name");
        if (!out.id.empty() && !ids_.insert(out.id).second) {
            report_.error(
                {.code = "duplicate-id",
                 .at = step.take("stepId")->at,
                 .key = step.key("stepId"),
                 .message = fmt::format("two steps are called '{}'", printable(out.id))});
        }
        read_time(step, out);
        const auto type = step.word("type", {"config-update", "start", "stop", "ramp", "spike"});
        if (type) out.type = static_cast<StepType>(*type);
        read_content(step, out);
        step.refuse_others();
        plan_.steps.push_back(std::move(out));
    }

    void read_time(Members& step, Step& out) {
        const YamlNode* time = step.take("time");
        if (time == nullptr) {
            step.required_text("time");
        } else if (const auto at = step.duration("time")) {
            out.time = *at;
            if (*at <= longest) return;
            report_.error(
                {.code = "bad-duration",
                 .at = time->at,
                 .key = step.key("time"),
                 .message = "a plan is at most a year long"});
        }
    }

    void read_content(Members& step, Step& out) {
        const YamlNode* config = step.take_mapping("config");
        if (config != nullptr) {
            json::value value = to_json(*config);
            out.config = std::move(value.get_object());
            lift_worker(out.config);
            out.written = *config;
        }
        if (const auto duration = step.duration("duration")) out.duration = *duration;
        if (out.type == StepType::ramp) return read_ramp(step, out);
        if (out.type != StepType::config_update) return;
        if (out.config.empty()) {
            report_.error(
                {.code = "step-without-config",
                 .at = step.node().at,
                 .key = step.path(),
                 .message = "changes nothing: it has no config",
                 .hint = "add config, or another type"});
        }
    }

    static void lift_worker(json::object& config) {
        const auto* worker = config.if_contains("worker");
        if (worker == nullptr || !worker->is_object()) return;
        const json::value own = *worker;
        json::value whole = config;
        whole.get_object().erase("worker");
        merge_patch(whole, own);
        config = std::move(whole.get_object());
    }

    void read_ramp(Members& step, Step& out) {
        constexpr Range any{-1e12, 1e12};
        Step::Ramp ramp{.field = step.required_text("field"), .from = step.number("from", any)};
        if (step.take("to") == nullptr) step.required_text("to");
        step.real("to", any, ramp.to);
        out.ramp = std::move(ramp);
        if (step.take("duration") == nullptr) {
            step.required_text("duration");
        } else if (out.target.scope == Target::Scope::swarm) {
            report_.error(
                {.code = "bad-target",
                 .at = step.node().at,
                 .key = step.path(),
                 .message = "a ramp moves a value of bees, and this one is for the swarm",
                 .hint = "move it to plan.bees"});
        }
    }

    Reading& reading_;
    Report& report_;
    Plan& plan_;
    std::set<std::string> ids_{};
};

} // namespace

void read_plan(const YamlNode& plan, Reading& reading) {
    PlanReader{reading}.read(plan);
}

} // namespace hive::scenario
