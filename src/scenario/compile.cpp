#include "scenario/compile.hpp"

#include "kernel/text.hpp"
#include "scenario/choice.hpp"
#include "scenario/files.hpp"
#include "scenario/steering.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hive::scenario {
namespace {

class Compiler {
public:
    Compiler(const Scenario& scenario, const Chosen& chosen, const Catalog& catalog)
        : scenario_{scenario}, chosen_{chosen}, catalog_{catalog} {}

    Result<Compiled> compile(const Choices& choices) {
        std::vector<json::object> configs;
        for (const Bee& bee : scenario_.bees) configs.push_back(bee.config);
        override_with(choices.overrides, configs);
        Compiled out{
            .id = scenario_.id,
            .name = scenario_.name,
            .sut = chosen_.sut,
            .profile = chosen_.profile,
            .plan = scenario_.plan,
            .thresholds = scenario_.thresholds};
        json::array bees;
        for (std::size_t i = 0; i < scenario_.bees.size(); ++i) {
            bees.push_back(bee_of(scenario_.bees[i], std::move(configs[i]), out));
        }
        out.bees["bees"] = std::move(bees);
        out.bees["topology"] = topology();
        out.bees["queues"] = queues();
        resolve_steps(out.plan);
        out.guards = guards(out.bees.at("bees").get_array());
        if (!problems_.empty()) return fail(Errc::invalid, problems_);
        return out;
    }

private:
    void problem(std::string_view text) {
        if (!problems_.empty()) problems_ += "; ";
        problems_ += text;
    }

    void
    override_with(const std::vector<std::string>& overrides, std::vector<json::object>& configs) {
        std::vector<Overridden> all;
        for (std::size_t i = 0; i < configs.size(); ++i) {
            all.push_back({scenario_.bees[i], configs[i]});
        }
        for (const std::string& each : overrides) {
            if (auto ok = apply_override(each, all); !ok) problem(ok.error().detail);
        }
    }

    json::object bee_of(const Bee& bee, json::object config, Compiled& out) {
        config = resolved(bee.id, bee.kind, std::move(config));
        for (const FileSetting& setting : file_settings()) {
            make_absolute(bee.id, config, setting);
        }
        // Whoever renders templates finds the variables there, as in the public product.
        if (!chosen_.values.vars.empty() && !config.contains("vars")) {
            config["vars"] = chosen_.values.vars;
        }
        std::uint32_t used = 0;
        for (const Crew& crew : out.crews) used += crew.role == bee.kind ? crew.count : 0;
        out.crews.push_back({bee.id, bee.kind, used + 1, bee.replicas});
        json::object written{
            {"id", bee.id},
            {"role", bee.kind},
            {"replicas", static_cast<std::int64_t>(bee.replicas)},
            {"work", {{"in", ports(bee.in)}, {"out", ports(bee.out)}}},
            {"config", std::move(config)}};
        if (!bee.restart.empty()) written["restart"] = bee.restart;
        if (!bee.env.empty()) {
            json::object env;
            for (const auto& [name, value] : bee.env) env[name] = value;
            written["env"] = resolved(bee.id + ".env", "", std::move(env));
        }
        return written;
    }

    json::object resolved(const std::string& where, const std::string& kind, json::object config) {
        const auto capability = catalog_.find(kind);
        const IsTemplate is_template = [&](const std::string& path) {
            if (capability == catalog_.end()) return false;
            const FieldInfo* field = find_field(capability->second, path);
            return field != nullptr && field->is_template;
        };
        const TellUnknown unknown = [&](const std::string& path, const Reference& reference) {
            const bool variable = reference.kind == Reference::Kind::variable;
            problem(
                variable
                    ? fmt::format(
                          "{}.{}: variable '{}' has no value", where, path,
                          printable(reference.name))
                    : fmt::format(
                          "{}.{}: endpoint '{}' of the SUT has no {}; choose a SUT that has "
                          "it, or give its URL",
                          where, path, printable(reference.name), printable(reference.member)));
        };
        json::value whole = std::move(config);
        resolve(whole, "", {chosen_.values, is_template, unknown});
        return std::move(whole.get_object());
    }

    void make_absolute(const std::string& where, json::object& config, const FileSetting& setting) {
        json::string* text = text_at(config, setting.path);
        if (text == nullptr || text->empty()) return;
        const auto path = path_within(*text);
        if (!path) {
            return problem(fmt::format("{}.{}: {}", where, setting.path, path.error().detail));
        }
        if (scenario_.root.empty()) {
            return problem(fmt::format(
                "{}.{}: a single file has no files beside it; make it a folder with scenario.yaml",
                where, setting.path));
        }
        *text = fmt::format("{}/{}", scenario_.root, *path);
    }

    static json::object ports(const std::vector<Port>& ports) {
        json::object out;
        for (const Port& port : ports) out[port.id] = port.queue;
        return out;
    }

    json::object topology() const {
        json::array edges;
        for (const Edge& edge : scenario_.edges) {
            json::object out{
                {"id", edge.id},
                {"from", {{"beeId", edge.from.bee}, {"port", edge.from.port}}},
                {"to", {{"beeId", edge.to.bee}, {"port", edge.to.port}}}};
            if (!edge.selector.empty()) out["selector"] = edge.selector;
            edges.push_back(std::move(out));
        }
        return {{"edges", std::move(edges)}};
    }

    json::object queues() const {
        json::object out;
        for (const auto& [name, settings] : scenario_.queues) {
            if (settings.max_length == 0) continue;
            out[name] = {{"maxLength", static_cast<std::int64_t>(settings.max_length)}};
        }
        return out;
    }

    // Those that are off too: they can be switched on while the swarm runs.
    std::vector<Guard> guards(const json::array& bees) {
        std::vector<json::object> configs;
        for (const json::value& bee : bees) configs.push_back(bee.at("config").as_object());
        std::vector<Guard> out = scenario_.guards;
        const auto problems = find_producers(out, scenario_.bees, configs);
        for (std::size_t i = 0; i < out.size(); ++i) {
            for (const SteeringProblem& each : problems[i]) {
                problem(fmt::format("{}: {}", out[i].key, each.message));
            }
        }
        return out;
    }

    void resolve_steps(Plan& plan) {
        for (Step& step : plan.steps) {
            const Bee* bee =
                step.target.bees.empty() ? nullptr : scenario_.find_bee(step.target.bees.front());
            step.config = resolved(
                fmt::format("plan step {}", step.id), bee != nullptr ? bee->kind : "",
                std::move(step.config));
        }
    }

    const Scenario& scenario_;
    const Chosen& chosen_;
    const Catalog& catalog_;
    std::string problems_{};
};

// `<kind>-<n>`, or the same behind the name of the swarm.
std::string
whole_name(const std::string& instance, const Compiled& compiled, const SwarmId& swarm) {
    const auto dash = instance.rfind('-');
    const std::string_view before = std::string_view{instance}.substr(0, dash);
    const bool is_kind =
        std::ranges::find(compiled.crews, before, &Crew::role) != compiled.crews.end();
    return is_kind ? fmt::format("{}-{}", swarm.text(), instance) : instance;
}

} // namespace

Result<Compiled> compile(const Scenario& scenario, const Choices& choices, const Catalog& catalog) {
    const auto chosen = choose(scenario, choices);
    if (!chosen) return fail(chosen.error());
    return Compiler{scenario, *chosen, catalog}.compile(choices);
}

Result<std::vector<InstanceId>>
instances_of(const Target& target, const Compiled& compiled, const SwarmId& swarm) {
    std::vector<InstanceId> out;
    if (target.scope == Target::Scope::instance) {
        auto one = InstanceId::parse(whole_name(target.name, compiled, swarm));
        if (!one) return fail(one.error());
        out.push_back(*std::move(one));
        return out;
    }
    for (const Crew& crew : compiled.crews) {
        if (std::ranges::find(target.bees, crew.bee) == target.bees.end()) continue;
        const auto role = Role::parse(crew.role);
        if (!role) return fail(role.error());
        for (std::uint32_t i = 0; i < crew.count; ++i) {
            auto one = wire::bee_instance(swarm, *role, crew.first + i);
            if (!one) return fail(one.error());
            out.push_back(*std::move(one));
        }
    }
    return out;
}

} // namespace hive::scenario
