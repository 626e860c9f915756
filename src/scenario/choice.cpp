#include "scenario/choice.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hive::scenario {
namespace {

bool has_sut_variables(const Variables& variables) {
    return std::ranges::find(variables.definitions, VariableScope::sut, &Variable::scope) !=
           variables.definitions.end();
}

bool mentions_sut(const json::value& value) {
    if (const auto* object = value.if_object()) {
        return std::ranges::any_of(
            *object, [](const auto& member) { return mentions_sut(member.value()); });
    }
    if (const auto* array = value.if_array()) return std::ranges::any_of(*array, mentions_sut);
    if (!value.is_string()) return false;
    const auto found = references_in(std::string_view{value.get_string()});
    return std::ranges::find(found, Reference::Kind::endpoint, &Reference::kind) != found.end();
}

bool needs_sut(const Scenario& scenario) {
    return has_sut_variables(scenario.variables) ||
           std::ranges::any_of(
               scenario.bees, [](const Bee& bee) { return mentions_sut(json::value(bee.config)); });
}

Result<std::string> choose_sut(const Scenario& scenario, const Choices& choices) {
    std::vector<std::string_view> names;
    for (const auto& [id, sut] : scenario.suts) names.push_back(id);
    if (!choices.sut.empty()) {
        if (scenario.suts.contains(choices.sut)) return choices.sut;
        return fail(
            Errc::invalid, fmt::format(
                               "there is no SUT '{}'; there is {}", printable(choices.sut),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (names.size() == 1) return std::string{names.front()};
    if (names.empty() || !choices.endpoints.empty() || !needs_sut(scenario)) return std::string{};
    return fail(Errc::invalid, fmt::format("choose a SUT; there are {}", fmt::join(names, ", ")));
}

Result<std::string> choose_profile(const Scenario& scenario, const Choices& choices) {
    const auto& profiles = scenario.variables.profiles;
    std::vector<std::string_view> names;
    for (const Profile& profile : profiles) names.push_back(profile.id);
    const std::string wanted = choices.profile.empty() ? "default" : choices.profile;
    if (std::ranges::find(names, wanted) != names.end()) return wanted;
    if (!choices.profile.empty()) {
        return fail(
            Errc::invalid, fmt::format(
                               "there is no profile '{}'; there is {}", printable(choices.profile),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (names.empty()) return std::string{};
    if (names.size() == 1) return std::string{names.front()};
    return fail(
        Errc::invalid, fmt::format("choose a profile; there are {}", fmt::join(names, ", ")));
}

json::value value_of(std::string_view text) {
    auto parsed = parse_json(text);
    return parsed ? *std::move(parsed) : json::value(text);
}

} // namespace

Result<Chosen> choose(const Scenario& scenario, const Choices& choices) {
    auto sut = choose_sut(scenario, choices);
    auto profile = choose_profile(scenario, choices);
    if (!sut && !profile) {
        return fail(
            Errc::invalid, fmt::format("{}; {}", sut.error().detail, profile.error().detail));
    }
    if (!sut) return fail(sut.error());
    if (!profile) return fail(profile.error());
    auto vars = values_of(scenario.variables, *profile, *sut);
    if (!vars) return fail(vars.error());
    Chosen chosen{.sut = *sut, .profile = *profile, .values = {.vars = *std::move(vars)}};
    if (const auto found = scenario.suts.find(*sut); found != scenario.suts.end()) {
        chosen.values.endpoints = found->second.endpoints;
    }
    for (const auto& [name, url] : choices.endpoints) {
        chosen.values.endpoints[name].base_url = url;
    }
    return chosen;
}

Choices with_first(const Scenario& scenario, Choices choices) {
    if (choices.sut.empty() && !scenario.suts.empty()) choices.sut = scenario.suts.begin()->first;
    const auto& profiles = scenario.variables.profiles;
    const bool has_default = std::ranges::find(profiles, "default", &Profile::id) != profiles.end();
    if (choices.profile.empty() && !has_default && !profiles.empty()) {
        choices.profile = profiles.front().id;
    }
    return choices;
}

Status apply_override(std::string_view assignment, const std::vector<Overridden>& bees) {
    const auto equals = assignment.find('=');
    const auto dot = assignment.substr(0, equals).find('.');
    if (equals == assignment.npos || dot == assignment.npos || dot == 0 || dot + 1 >= equals) {
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' is no override; write <bee>.<setting>=<value>",
                               printable(assignment.substr(0, equals))));
    }
    const std::string_view name = assignment.substr(0, dot);
    const auto found =
        std::ranges::find_if(bees, [&](const Overridden& each) { return each.bee.id == name; });
    if (found == bees.end()) {
        return fail(Errc::invalid, fmt::format("override: there is no bee '{}'", printable(name)));
    }
    std::string_view path = assignment.substr(dot + 1, equals - dot - 1);
    json::object* object = &found->config;
    for (auto next = path.find('.'); next != path.npos; next = path.find('.')) {
        auto& member = (*object)[path.substr(0, next)];
        if (!member.is_object()) member = json::object{};
        object = &member.get_object();
        path.remove_prefix(next + 1);
    }
    (*object)[path] = value_of(assignment.substr(equals + 1));
    return {};
}

} // namespace hive::scenario
