#include "colony/approvals/rule.hpp"

#include "colony/stored.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace hive::colony::approvals {
namespace {

constexpr std::array<std::string_view, 3> effect_names{"ask", "allow", "deny"};

bool any_matches(const Words& patterns, std::string_view text) {
    return patterns.empty() || std::ranges::any_of(patterns, [&](const auto& pattern) {
               return matches_pattern(pattern, text);
           });
}

// A pattern about something that the act does not have cannot match.
bool fact_matches(const Words& patterns, const json::object& facts, std::string_view name) {
    return patterns.empty() ||
           (facts.contains(name) && any_matches(patterns, text_in(facts, name)));
}

json::array names_of(const Roles& roles) {
    json::array names;
    for (const auto role : roles) names.emplace_back(accounts::name_of(role));
    return names;
}

void put_roles(json::object& out, std::string_view name, const Roles& roles) {
    if (!roles.empty()) out[name] = names_of(roles);
}

Roles roles_in(const json::object& in, std::string_view name) {
    Roles roles;
    for (const auto& word : words_in(in, name)) roles.push_back(accounts::parse_role(word).value());
    return roles;
}

json::object match_json(const Match& match) {
    json::object out;
    put(out, "acts", match.acts);
    put(out, "tags", match.tags);
    if (match.priority) out["priority"] = *match.priority;
    put(out, "tasks", match.tasks);
    put(out, "channels", match.channels);
    put(out, "swarms", match.swarms);
    put_roles(out, "from", match.from);
    return out;
}

Match match_in(const json::object& in) {
    Match match{
        .acts = words_in(in, "acts"),
        .tags = words_in(in, "tags"),
        .tasks = words_in(in, "tasks"),
        .channels = words_in(in, "channels"),
        .swarms = words_in(in, "swarms"),
        .from = roles_in(in, "from")};
    if (in.contains("priority")) match.priority = number_in<int>(in, "priority");
    return match;
}

Rule rule_in(const json::object& in) {
    Rule rule{
        .id = text_in(in, "id"),
        .name = text_in(in, "name"),
        .rank = number_in<int>(in, "rank"),
        .enabled = in.at("enabled").as_bool(),
        .effect = parse_effect(in.at("effect").as_string()).value(),
        .match = match_in(in.at("match").as_object()),
        .created_by = text_in(in, "createdBy"),
        .created = time_at(in, "createdAt"),
        .changed = time_at(in, "changedAt"),
        .revision = number_in<std::uint64_t>(in, "revision")};
    if (const auto* stages = in.if_contains("stages")) {
        for (const auto& stage : stages->as_array()) {
            rule.stages.push_back(stage_in(stage.as_object()));
        }
    }
    return rule;
}

} // namespace

bool may_decide(const Stage& stage, const Actor& who) {
    return std::ranges::find(stage.roles, who.role) != stage.roles.end() ||
           has(stage.people, who.id);
}

// Linear in time: after a `*` that could have been longer, only the last one is tried again.
bool matches_pattern(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = pattern.npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != pattern.npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool is_about(const Match& match, std::string_view what) {
    return any_matches(match.acts, what);
}

bool matches(const Match& match, const Act& act, const Actor& who) {
    if (!is_about(match, act.what)) return false;
    if (!match.from.empty() && std::ranges::find(match.from, who.role) == match.from.end()) {
        return false;
    }
    if (!has_all(words_in(act.facts, "tags"), match.tags)) return false;
    if (match.priority) {
        const auto* priority = act.facts.if_contains("priority");
        if (priority == nullptr || priority->to_number<int>() > *match.priority) return false;
    }
    return fact_matches(match.tasks, act.facts, "ref") &&
           fact_matches(match.channels, act.facts, "channel") &&
           fact_matches(match.swarms, act.facts, "swarm");
}

const Rule* first_match(const Rules& rules, const Act& act, const Actor& who) {
    const auto found = std::ranges::find_if(
        rules, [&](const Rule& rule) { return rule.enabled && matches(rule.match, act, who); });
    return found == rules.end() ? nullptr : &*found;
}

void sort_rules(Rules& rules) {
    std::ranges::sort(
        rules, {}, [](const Rule& rule) { return std::tie(rule.rank, rule.created, rule.id); });
}

Status check_stage(const Stage& stage) {
    if (stage.roles.empty() && stage.people.empty()) {
        return fail(Errc::invalid, "say in `roles` or `people` who decides");
    }
    if (stage.quorum < 1 || stage.quorum > quorum_max) {
        return fail(Errc::invalid, fmt::format("quorum: 1 to {}", quorum_max));
    }
    if (stage.roles.empty() && static_cast<std::size_t>(stage.quorum) > stage.people.size()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "quorum: {} of {} people can never agree", stage.quorum, stage.people.size()));
    }
    if (stage.within < within_shortest || stage.within > within_longest) {
        return fail(
            Errc::invalid, fmt::format(
                               "within: {} to {}", format_duration(within_shortest),
                               format_duration(within_longest)));
    }
    return {};
}

Status check_rule(const Rule& rule) {
    if (rule.name.empty()) return fail(Errc::invalid, "name: a rule needs one");
    if (rule.match.acts.empty()) {
        return fail(Errc::invalid, "match/acts: say what the rule is about, such as `swarm.start`");
    }
    if (rule.effect != Effect::ask) {
        if (rule.stages.empty()) return {};
        return fail(Errc::invalid, "stages: only a rule that asks has somebody to decide");
    }
    if (rule.stages.empty()) return fail(Errc::invalid, "stages: say who decides");
    if (rule.stages.size() > stages_max) {
        return fail(Errc::invalid, fmt::format("stages: at most {}", stages_max));
    }
    for (std::size_t i = 0; i < rule.stages.size(); ++i) {
        if (auto ok = check_stage(rule.stages[i]); !ok) {
            return fail(Errc::invalid, fmt::format("stages/{}: {}", i, ok.error().detail));
        }
    }
    return {};
}

std::string_view name_of(Effect effect) noexcept {
    return effect_names.at(static_cast<std::size_t>(effect));
}

Result<Effect> parse_effect(std::string_view text) {
    const auto* found = std::ranges::find(effect_names, text);
    if (found == effect_names.end()) {
        return fail(Errc::invalid, fmt::format("'{}' is not ask, allow or deny", text));
    }
    return static_cast<Effect>(found - effect_names.begin());
}

json::object to_json(const Stage& stage) {
    json::object out{{"quorum", stage.quorum}, {"within", format_duration(stage.within)}};
    put_roles(out, "roles", stage.roles);
    put(out, "people", stage.people);
    return out;
}

Stage stage_in(const json::object& in) {
    return {
        .roles = roles_in(in, "roles"),
        .people = words_in(in, "people"),
        .quorum = number_in<int>(in, "quorum"),
        .within = span_at(in, "within")};
}

json::object to_json(const Rule& rule) {
    json::object out{
        {"id", rule.id},
        {"name", rule.name},
        {"rank", rule.rank},
        {"enabled", rule.enabled},
        {"effect", name_of(rule.effect)},
        {"match", match_json(rule.match)},
        {"createdBy", rule.created_by},
        {"createdAt", format_timestamp(rule.created)},
        {"changedAt", format_timestamp(rule.changed)},
        {"revision", rule.revision}};
    json::array stages;
    for (const Stage& stage : rule.stages) stages.push_back(to_json(stage));
    if (!stages.empty()) out["stages"] = std::move(stages);
    return out;
}

Result<Rule> rule_from_stored(std::string_view text) {
    return read_stored("rule", text, rule_in);
}

} // namespace hive::colony::approvals
