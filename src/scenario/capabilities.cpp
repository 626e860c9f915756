#include "scenario/capabilities.hpp"

#include "guard/settings.hpp"
#include "kernel/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hive::scenario {
namespace {

// What a bee has of several kinds, each with settings of its own.
constexpr std::array<std::string_view, 3> sides{"inputs", "outputs", "interceptors"};

json::object to_json(const FieldInfo& field) {
    json::object out{
        {"path", field.path}, {"type", field.type}, {"help", field.help}, {"live", field.live}};
    if (!field.unit.empty()) out["unit"] = field.unit;
    if (field.lowest) out["lowest"] = *field.lowest;
    if (field.highest) out["highest"] = *field.highest;
    if (!field.choices.empty()) {
        json::array choices;
        for (const auto& choice : field.choices) choices.emplace_back(choice);
        out["choices"] = std::move(choices);
    }
    if (!field.fallback.is_null()) out["default"] = field.fallback;
    if (field.required) out["required"] = true;
    if (field.secret) out["secret"] = true;
    if (field.is_template) out["template"] = true;
    return out;
}

// `inputs.scheduler` of `inputs.scheduler.ratePerSec`; empty for what is the bee's own.
std::string_view group_of(std::string_view path) {
    const auto dot = path.find('.');
    if (dot == path.npos || std::ranges::find(sides, path.substr(0, dot)) == sides.end()) return {};
    const auto next = path.find_first_of(".[{", dot + 1);
    return next == path.npos ? std::string_view{} : path.substr(0, next);
}

bool begins_alike(std::string_view word, std::string_view choice) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return choice.size() >= word.size() &&
           std::ranges::equal(word, choice.substr(0, word.size()), {}, lower, lower);
}

// How `inputs.type` calls it: REDIS_DATASET for `inputs.redis`. Empty where it is not chosen so.
std::string choice_of(std::string_view group, const Capability& capability) {
    const auto dot = group.find('.');
    const FieldInfo* type = find_field(capability, fmt::format("{}.type", group.substr(0, dot)));
    if (type == nullptr) return {};
    const std::string_view name = group.substr(dot + 1);
    const auto found = std::ranges::find_if(
        type->choices, [&](const std::string& choice) { return begins_alike(name, choice); });
    return found == type->choices.end() ? std::string{} : *found;
}

// One manifest for all bees that have the same settings, in the order they were found.
class Manifests {
public:
    void add(std::string_view role, const Capability& capability) {
        std::map<std::string, json::array, std::less<>> groups;
        json::array own;
        for (const FieldInfo& field : capability.fields) {
            const std::string_view group = group_of(field.path);
            (group.empty() ? own : groups[std::string{group}]).push_back(to_json(field));
        }
        json::object bee{{"role", role}, {"fields", std::move(own)}};
        for (const auto side : sides) bee[side] = json::array{};
        for (auto& [group, fields] : groups) {
            const auto dot = group.find('.');
            bee[group.substr(0, dot)].as_array().emplace_back(group.substr(dot + 1));
            share(role, group, choice_of(group, capability), std::move(fields));
        }
        bees_.push_back(std::move(bee));
    }

    json::object all() && {
        json::object out{{"bees", std::move(bees_)}};
        for (const auto side : sides) out[side] = json::array{};
        for (auto& [key, manifest] : shared_) {
            out[key.first.substr(0, key.first.find('.'))].as_array().push_back(std::move(manifest));
        }
        return out;
    }

private:
    void share(
        std::string_view role, const std::string& group, std::string_view choice,
        json::array fields) {
        auto& manifest = shared_[{group, to_text(fields)}];
        if (manifest.empty()) {
            manifest["type"] = group.substr(group.find('.') + 1);
            if (!choice.empty()) manifest["choice"] = choice;
            manifest["path"] = group;
            manifest["fields"] = std::move(fields);
            manifest["bees"] = json::array{};
        }
        manifest["bees"].as_array().emplace_back(role);
    }

    json::array bees_{};
    std::map<std::pair<std::string, std::string>, json::object> shared_{};
};

} // namespace

json::object capabilities_of(const Catalog& catalog) {
    Manifests manifests;
    for (const auto& [role, capability] : catalog) manifests.add(role, capability);
    json::object all = std::move(manifests).all();
    json::array guard;
    for (const FieldInfo& field : fields_of<guard::Settings>()) guard.push_back(to_json(field));
    all["bufferGuard"] = json::object{{"fields", std::move(guard)}};
    return all;
}

} // namespace hive::scenario
