#include "kernel/text.hpp"
#include "scenario/checks.hpp"
#include "scenario/members.hpp"
#include "scenario/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::scenario {
namespace {

void list_leaves(const json::value& value, const std::string& path, std::vector<std::string>& out) {
    if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
        for (const auto& [name, member] : *object) {
            list_leaves(
                member,
                path.empty() ? std::string{name}
                             : fmt::format("{}.{}", path, std::string_view{name}),
                out);
        }
    } else {
        out.push_back(path);
    }
}

class PlanChecker {
public:
    PlanChecker(const std::vector<json::object>& configs, Checking& checking)
        : configs_{configs}, checking_{checking} {}

    void check(const Step& step) {
        const auto& bees = checking_.loaded.scenario.bees;
        std::set<std::string_view> kinds; // one bee of several of a kind says what all would
        for (std::size_t i = 0; i < bees.size(); ++i) {
            if (!concerns(step, bees[i]) || !kinds.insert(bees[i].kind).second) continue;
            const Capability* capability = capability_of(bees[i], checking_.catalog);
            if (capability == nullptr || capability->fields.empty()) continue;
            if (step.ramp) {
                check_ramp(step, *capability);
            } else if (!step.config.empty()) {
                check_update(step, *capability, configs_[i]);
            }
        }
    }

private:
    static bool concerns(const Step& step, const Bee& bee) {
        if (step.target.scope == Target::Scope::instance) {
            return step.target.name.find(bee.kind) != std::string::npos;
        }
        return std::ranges::find(step.target.bees, bee.id) != step.target.bees.end();
    }

    static std::string key_of(const Step& step, std::string_view path) {
        return fmt::format("step {}: {}", step.id, path);
    }

    void refuse(const Step& step, std::string_view path, Finding finding) {
        finding.at = step.written.at == Position{} ? step.at : place_in_config(step.written, path);
        finding.key = key_of(step, path);
        checking_.report.error(std::move(finding));
    }

    bool check_live(const Step& step, std::string_view path, const FieldInfo& field) {
        if (field.live) return true;
        refuse(
            step, path,
            {.code = "not-live",
             .message = "cannot change while the bee works",
             .hint = "set it in the bee's config"});
        return false;
    }

    void check_update(const Step& step, const Capability& capability, const json::object& config) {
        std::vector<std::string> leaves;
        list_leaves(step.config, "", leaves);
        for (const std::string& leaf : leaves) {
            if (const FieldInfo* field = find_field(capability, leaf)) {
                check_live(step, leaf, *field);
            }
        }
        if (!capability.problems) return;
        json::value patched = config;
        merge_patch(patched, step.config);
        json::value references = std::move(patched);
        resolve(references, "", {checking_.values, {}, {}});
        const auto before = capability.problems(config);
        for (const FieldProblem& problem : capability.problems(references.get_object())) {
            const bool is_old = std::ranges::any_of(before, [&](const FieldProblem& old) {
                return old.path == problem.path && old.message == problem.message;
            });
            if (is_old) continue;
            std::string_view path = problem.path;
            if (path.starts_with("config.")) path.remove_prefix(7);
            refuse(
                step, path,
                {.code = problem.code, .message = problem.message, .hint = problem.hint});
        }
    }

    void check_ramp(const Step& step, const Capability& capability) {
        const std::string& path = step.ramp->field;
        const FieldInfo* field = find_field(capability, path);
        if (field == nullptr || (field->type != "number" && field->type != "integer")) {
            std::vector<std::string_view> known;
            for (const FieldInfo& each : capability.fields) {
                if (each.type == "number" || each.type == "integer") known.emplace_back(each.path);
            }
            const auto meant = nearest(path, known);
            return refuse(
                step, "field",
                {.code = "unknown-key",
                 .message = fmt::format("'{}' is no number that the bee has", printable(path)),
                 .hint = meant ? fmt::format("did you mean '{}'?", *meant) : ""});
        }
        if (!check_live(step, "field", *field)) return;
        for (const auto value : {step.ramp->from, std::optional{step.ramp->to}}) {
            if (!value) continue;
            const bool low = field->lowest && *value < *field->lowest;
            if (!low && !(field->highest && *value > *field->highest)) continue;
            refuse(
                step, "to",
                {.code = "bad-value",
                 .message = fmt::format("expected {}, not {}", field->expected, *value)});
        }
    }

    const std::vector<json::object>& configs_;
    Checking& checking_;
};

} // namespace

void check_plan(const std::vector<json::object>& configs, Checking& checking) {
    PlanChecker checker{configs, checking};
    for (const Step& step : checking.loaded.scenario.plan.steps) checker.check(step);
}

} // namespace hive::scenario
