#include "api/colony/approval_input.hpp"

#include "api/colony/input.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::approvals;

Result<Roles> roles_in(const json::object& body, std::string_view name) {
    Roles roles;
    for (const auto& word : words_of(body, name)) {
        const auto role = accounts::parse_role(word);
        if (!role) return fail(role.error());
        roles.push_back(*role);
    }
    return roles;
}

Result<Stage> stage_of(const json::object& body) {
    auto roles = roles_in(body, "roles");
    if (!roles) return fail(roles.error());
    const auto within = span_of(body, "within");
    if (!within) return fail(within.error());
    Stage stage{
        .roles = *std::move(roles),
        .people = words_of(body, "people"),
        .quorum = static_cast<int>(integer_of(body, "quorum").value_or(1)),
        .within = within->value_or(within_usual)};
    if (auto ok = check_words(stage.people, "people"); !ok) return fail(ok.error());
    return stage;
}

Result<Match> match_of(const json::object& body) {
    auto from = roles_in(body, "from");
    if (!from) return fail(from.error());
    Match match{
        .acts = words_of(body, "acts"),
        .tags = words_of(body, "tags"),
        .tasks = words_of(body, "tasks"),
        .channels = words_of(body, "channels"),
        .swarms = words_of(body, "swarms"),
        .from = *std::move(from)};
    for (const auto* words : {&match.acts, &match.tags, &match.tasks, &match.channels}) {
        if (auto ok = check_words(*words, "match"); !ok) return fail(ok.error());
    }
    if (const auto priority = integer_of(body, "priority")) {
        match.priority = static_cast<int>(*priority);
    }
    return match;
}

} // namespace

Result<Rule> rule_in(const json::object& body) {
    auto match = match_of(object_of(body, "match"));
    if (!match) return fail(match.error());
    const auto* enabled = body.if_contains("enabled");
    Rule rule{
        .id = {},
        .name = text_of(body, "name"),
        .rank = static_cast<int>(integer_of(body, "rank").value_or(100)),
        .enabled = enabled == nullptr || enabled->as_bool(),
        .match = *std::move(match)};
    if (const auto effect = text_of(body, "effect"); !effect.empty()) {
        const auto parsed = parse_effect(effect);
        if (!parsed) return fail(parsed.error());
        rule.effect = *parsed;
    }
    if (const auto* stages = body.if_contains("stages")) {
        for (const auto& item : stages->as_array()) {
            auto stage = stage_of(item.as_object());
            if (!stage) return fail(stage.error());
            rule.stages.push_back(*std::move(stage));
        }
    }
    if (auto ok = check_rule(rule); !ok) return fail(ok.error());
    return rule;
}

std::vector<Evidence> evidence_in(const json::object& body) {
    std::vector<Evidence> all;
    const auto* list = body.if_contains("evidence");
    if (list == nullptr) return all;
    for (const auto& item : list->as_array()) {
        const auto& one = item.as_object();
        all.push_back({text_of(one, "kind"), text_of(one, "title"), one.at("value")});
    }
    return all;
}

Result<NewApproval> question_in(const json::object& body) {
    const auto within = span_of(body, "within");
    if (!within) return fail(within.error());
    Stage stage{
        .people = words_of(body, "people"),
        .quorum = static_cast<int>(integer_of(body, "quorum").value_or(1)),
        .within = within->value_or(within_usual)};
    if (stage.people.empty()) stage.roles = {accounts::Role::human, accounts::Role::admin};
    if (auto ok = check_words(stage.people, "people"); !ok) return fail(ok.error());
    return NewApproval{
        .act =
            {.what = std::string{question},
             .entity_type = "question",
             .entity_id = text_of(body, "about")},
        .subject = text_of(body, "subject"),
        .evidence = evidence_in(body),
        .stages = {std::move(stage)}};
}

} // namespace hive::rest
