#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::scenario {
namespace {

using Kind = YamlNode::Kind;

std::string_view expected(VariableType type) {
    switch (type) {
    case VariableType::string: return "text";
    case VariableType::integer: return "a whole number";
    case VariableType::number: return "a number";
    case VariableType::boolean: return "true or false";
    case VariableType::object: return "a mapping or list";
    }
    return "";
}

// The value if it is of that type; texts may look like anything.
std::optional<json::value> value_of(const YamlNode& node, VariableType type) {
    json::value value = to_json(node);
    switch (type) {
    case VariableType::string:
        if (node.kind == Kind::scalar) return json::value(node.text);
        return std::nullopt;
    case VariableType::integer:
        if (value.is_int64()) return value;
        return std::nullopt;
    case VariableType::number:
        if (value.is_number()) return value;
        return std::nullopt;
    case VariableType::boolean:
        if (value.is_bool()) return value;
        return std::nullopt;
    case VariableType::object:
        if (value.is_object() || value.is_array()) return value;
        return std::nullopt;
    }
    return std::nullopt;
}

class VariablesReader {
public:
    VariablesReader(Reading& reading, Report& report)
        : reading_{reading}, report_{report}, variables_{reading.scenario.variables} {}

    void read(const YamlNode& root, const std::string& path) {
        Members members{root, path, report_};
        if (const auto version = members.number("version", {0, 1000}); version && *version != 1) {
            report_.error(
                {.code = "bad-version",
                 .at = members.take("version")->at,
                 .key = members.key("version"),
                 .message = "only version 1 is known"});
        }
        each(members, "definitions", [this](Members& one) { read_definition(one); });
        each(members, "profiles", [this](Members& one) { read_profile(one); });
        if (const YamlNode* values = members.take_mapping("values")) {
            Members all{*values, members.key("values"), report_};
            read_global(all);
            read_sut(all);
            all.refuse_others();
        }
        members.refuse_others();
        check_required(root);
    }

private:
    template <class Read>
    void each(Members& members, std::string_view name, const Read& read) {
        const YamlNode* list = members.take_list(name);
        if (list == nullptr) return;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            Members one{list->items[i], fmt::format("{}[{}]", members.key(name), i), report_};
            read(one);
            one.refuse_others();
        }
    }

    void refuse_twin(const Members& one, std::string_view what, const std::string& name) {
        report_.error(
            {.code = "duplicate-id",
             .at = one.node().at,
             .key = one.path(),
             .message = fmt::format("two {} are called '{}'", what, printable(name))});
    }

    void read_definition(Members& one) {
        Variable out{.name = one.required_text("name"), .at = one.node().at};
        if (const auto scope = one.word("scope", {"global", "sut"})) {
            out.scope = static_cast<VariableScope>(*scope);
        }
        if (const auto type = one.word("type", {"string", "int", "float", "bool", "object"})) {
            out.type = static_cast<VariableType>(*type);
        }
        one.flag("required", out.required);
        one.text("description");
        if (out.name.empty()) return;
        if (variables_.find(out.name) != nullptr) refuse_twin(one, "variables", out.name);
        variables_.definitions.push_back(std::move(out));
    }

    void read_profile(Members& one) {
        Profile out{.id = one.required_text("id"), .name = one.text("name")};
        if (out.id.empty()) return;
        if (is_profile(out.id)) refuse_twin(one, "profiles", out.id);
        variables_.profiles.push_back(std::move(out));
    }

    bool is_profile(std::string_view id) const {
        return std::ranges::find(variables_.profiles, id, &Profile::id) !=
               variables_.profiles.end();
    }

    bool check_profile(const YamlNode& node, const std::string& path) {
        if (is_profile(node.key)) return true;
        report_.error(
            {.code = "unknown-profile",
             .at = node.key_at,
             .key = below(path, printable(node.key)),
             .message = fmt::format("there is no profile '{}'", printable(node.key)),
             .hint = "add it to profiles"});
        return false;
    }

    void read_global(Members& all) {
        const YamlNode* global = all.take_mapping("global");
        if (global == nullptr) return;
        for (const YamlNode& profile : global->items) {
            const std::string path = all.key("global");
            if (!check_profile(profile, path)) continue;
            const std::string below_it = below(path, profile.key);
            read_values(profile, below_it, VariableScope::global, variables_.global[profile.key]);
        }
    }

    void read_sut(Members& all) {
        const YamlNode* suts = all.take_mapping("sut");
        if (suts == nullptr) return;
        for (const YamlNode& profile : suts->items) {
            const std::string path = all.key("sut");
            if (!check_profile(profile, path)) continue;
            const std::string under = below(path, profile.key);
            if (!expect_kind(profile, Kind::mapping, under, report_)) continue;
            for (const YamlNode& sut : profile.items) {
                check_sut(sut, under);
                read_values(
                    sut, below(under, sut.key), VariableScope::sut,
                    variables_.sut[profile.key][sut.key]);
            }
        }
    }

    void check_sut(const YamlNode& sut, const std::string& path) {
        if (reading_.scenario.suts.empty() || reading_.scenario.suts.contains(sut.key)) return;
        report_.error(
            {.code = "unknown-sut",
             .at = sut.key_at,
             .key = below(path, printable(sut.key)),
             .message = fmt::format("there is no environment '{}' under sut", printable(sut.key)),
             .hint = "add sut/<id>/sut.yaml, or correct the name"});
    }

    void read_values(
        const YamlNode& node, const std::string& path, VariableScope scope,
        Variables::Values& into) {
        if (!expect_kind(node, Kind::mapping, path, report_)) return;
        for (const YamlNode& member : node.items) {
            const Variable* variable = variables_.find(member.key);
            if (variable == nullptr || variable->scope != scope) {
                refuse_variable(member, path, variable != nullptr);
                continue;
            }
            auto value = value_of(member, variable->type);
            if (value) {
                into.emplace(member.key, *std::move(value));
                continue;
            }
            report_.error(
                {.code = "bad-value",
                 .at = member.at,
                 .key = below(path, member.key),
                 .message = fmt::format("expected {}", expected(variable->type)),
                 .hint = "that is the type its definition says"});
        }
    }

    void refuse_variable(const YamlNode& member, const std::string& path, bool other_scope) {
        std::vector<std::string_view> names;
        for (const Variable& each : variables_.definitions) names.emplace_back(each.name);
        const auto meant = nearest(member.key, names);
        std::string hint = "add it to definitions";
        if (other_scope)
            hint = "its definition says another scope";
        else if (meant)
            hint = fmt::format("did you mean '{}'?", *meant);
        report_.error(
            {.code = other_scope ? "variable-scope" : "unknown-variable",
             .at = member.key_at,
             .key = below(path, printable(member.key)),
             .message = other_scope ? "this variable belongs elsewhere" : "is not defined",
             .hint = std::move(hint)});
    }

    // Each required variable has a value in each profile, and for each environment.
    void check_required(const YamlNode& root) {
        for (const Variable& variable : variables_.definitions) {
            if (!variable.required) continue;
            for (const Profile& profile : variables_.profiles) check_value(variable, profile);
            if (!variables_.profiles.empty()) continue;
            report_.error(
                {.code = "missing-variable",
                 .at = variable.at == Position{} ? root.at : variable.at,
                 .key = variable.name,
                 .message = "is required, and there is no profile that gives it a value",
                 .hint = "add profiles and values"});
        }
    }

    void check_value(const Variable& variable, const Profile& profile) {
        const auto missing = [&](const std::string& where) {
            report_.error(
                {.code = "missing-variable",
                 .at = variable.at,
                 .key = variable.name,
                 .message = fmt::format("is required and has no value {}", where),
                 .hint = "add one under values, or make it not required"});
        };
        if (variable.scope == VariableScope::global) {
            const auto values = variables_.global.find(profile.id);
            if (values == variables_.global.end() || !values->second.contains(variable.name)) {
                missing(fmt::format("in profile '{}'", profile.id));
            }
            return;
        }
        const auto suts = variables_.sut.find(profile.id);
        for (const auto& [id, sut] : reading_.scenario.suts) {
            const bool has = suts != variables_.sut.end() && suts->second.contains(id) &&
                             suts->second.at(id).contains(variable.name);
            if (!has) missing(fmt::format("for '{}' in profile '{}'", id, profile.id));
        }
    }

    Reading& reading_;
    Report& report_;
    Variables& variables_;
};

} // namespace

void read_variables(
    const YamlNode& root, const std::string& path, Reading& reading, Report& report) {
    VariablesReader{reading, report}.read(root, path);
}

} // namespace hive::scenario
