#include "colony/approvals/rule.hpp"

#include <boost/json/value_from.hpp>
#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::approvals;
using namespace std::chrono_literals;
using accounts::Role;

namespace {

const Actor bee{"BEE-1", Role::bee};
const Actor alice{"alice", Role::human};

Act act_on_task(std::string what, Words tags = {}, int priority = 2) {
    return {
        .what = std::move(what),
        .entity_type = "task",
        .entity_id = "t-1",
        .facts = {{"ref", "TASK-1"}, {"tags", json::value_from(tags)}, {"priority", priority}}};
}

Rule asking(Match match) {
    return {
        .id = "r-1",
        .name = "a rule",
        .match = std::move(match),
        .stages = {{.roles = {Role::human}, .people = {"carol"}, .quorum = 2, .within = 1h}},
        .created_by = "root"};
}

} // namespace

TEST_CASE("a star stands for any text, also for none, and nothing else is special") {
    CHECK(matches_pattern("task.*", "task.complete"));
    CHECK(matches_pattern("*", ""));
    CHECK(matches_pattern("a*b*c", "a-b-b-c"));
    CHECK(matches_pattern("**x", "x"));
    CHECK_FALSE(matches_pattern("task.*", "channel.post"));
    CHECK_FALSE(matches_pattern("a*b", "a-b-"));
    CHECK_FALSE(matches_pattern("", "x"));
    CHECK_FALSE(matches_pattern("a?c", "abc"));
    CHECK_FALSE(matches_pattern(std::string(1000, '*') + "x", std::string(100'000, 'y')));
}

TEST_CASE("a rule is about acts, tags, urgency, names and whoever acts, all of them together") {
    const Act done = act_on_task("task.complete", {"prod", "db"}, 1);
    CHECK(matches({.acts = {"task.complete"}}, done, bee));
    CHECK(matches({.acts = {"swarm.*", "task.*"}, .tags = {"prod"}}, done, bee));
    CHECK_FALSE(matches({.acts = {"task.*"}, .tags = {"prod", "web"}}, done, bee));
    CHECK(matches({.acts = {"task.*"}, .priority = 1}, done, bee));
    CHECK_FALSE(matches({.acts = {"task.*"}, .priority = 0}, done, bee));
    CHECK(matches({.acts = {"task.*"}, .tasks = {"TASK-*"}}, done, bee));
    CHECK_FALSE(matches({.acts = {"task.*"}, .tasks = {"OTHER-*"}}, done, bee));
    CHECK(matches({.acts = {"task.*"}, .from = {Role::bee}}, done, bee));
    CHECK_FALSE(matches({.acts = {"task.*"}, .from = {Role::bee}}, done, alice));
    // What an act does not have, no pattern fits.
    CHECK_FALSE(matches({.acts = {"*"}, .swarms = {"*"}}, done, bee));
    CHECK_FALSE(matches({.acts = {"*"}, .channels = {"*"}}, done, bee));
}

TEST_CASE("the first rule that matches decides: by rank, then by age") {
    Rule general = asking({.acts = {"task.*"}});
    Rule exception = asking({.acts = {"task.complete"}, .tags = {"docs"}});
    exception.effect = Effect::allow;
    exception.rank = 10;
    Rule switched_off = asking({.acts = {"*"}});
    switched_off.rank = 1;
    switched_off.enabled = false;
    Rules rules{general, exception, switched_off};
    sort_rules(rules);
    CHECK(first_match(rules, act_on_task("task.complete", {"docs"}), bee)->effect == Effect::allow);
    CHECK(first_match(rules, act_on_task("task.complete"), bee)->effect == Effect::ask);
    CHECK(first_match(rules, {.what = "swarm.start"}, bee) == nullptr);
}

TEST_CASE("a rule that nobody could ever satisfy is refused, and the place is named") {
    const auto problem = [](const Rule& rule) {
        const auto checked = check_rule(rule);
        return checked ? std::string{} : checked.error().detail;
    };
    CHECK(problem(asking({.acts = {"task.*"}})).empty());
    CHECK(problem(asking({})).starts_with("match/acts"));
    Rule rule = asking({.acts = {"x"}});
    rule.stages.clear();
    CHECK(problem(rule).starts_with("stages"));
    rule.stages = {{}};
    CHECK(problem(rule).starts_with("stages/0: say in `roles`"));
    rule.stages = {{.people = {"carol"}, .quorum = 2}};
    CHECK(problem(rule).find("can never agree") != std::string::npos);
    rule.stages = {{.roles = {Role::human}, .quorum = 0}};
    CHECK(problem(rule).find("quorum") != std::string::npos);
    rule.stages = {{.roles = {Role::human}, .within = 1ms}};
    CHECK(problem(rule).find("within") != std::string::npos);
    rule.stages.assign(stages_max + 1, Stage{.roles = {Role::human}});
    CHECK(problem(rule).starts_with("stages: at most"));
    rule.effect = Effect::deny;
    CHECK(problem(rule).starts_with("stages: only"));
    rule.stages.clear();
    CHECK(problem(rule).empty());
}

TEST_CASE("a stored rule reads back equal, and a damaged one is an error") {
    Rule full = asking(
        {.acts = {"task.*"},
         .tags = {"prod"},
         .priority = 1,
         .tasks = {"T*"},
         .channels = {"general"},
         .swarms = {"alpha*"},
         .from = {Role::bee, Role::human}});
    full.enabled = false;
    full.created = Timestamp{1'750'000'000s};
    CHECK(rule_from_stored(to_text(to_json(full))).value() == full);
    CHECK_FALSE(rule_from_stored("{}"));
    CHECK_FALSE(rule_from_stored("[]"));
}
