#include "colony/approvals/asking.hpp"
#include "colony/approvals/council_under_test.hpp"

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::approvals;
using namespace std::chrono_literals;
using accounts::Role;

namespace {

const Actor bee{"BEE-1", Role::bee};
const Actor other_bee{"BEE-2", Role::bee};
const Actor alice{"alice", Role::human};

Act completion(json::object command = {{"note", "done"}}) {
    return {
        .what = "task.complete",
        .entity_type = "task",
        .entity_id = "t-1",
        .facts = {{"ref", "TASK-1"}, {"title", "Ship"}, {"note", "done"}, {"content", {1, 2}}},
        .command = std::move(command)};
}

Rule rule_on(std::string act, Effect effect = Effect::ask) {
    Rule rule{
        .id = "r", .name = "four eyes", .effect = effect, .match = {.acts = {std::move(act)}}};
    if (effect == Effect::ask) rule.stages = {{.roles = {Role::human}, .within = 1h}};
    return rule;
}

} // namespace

TEST_CASE("what no rule is about goes on, what one denies does not, what one asks about waits") {
    CouncilUnderTest scene;
    CHECK(std::holds_alternative<Free>(scene.ask(bee, completion())));
    scene.rules = {rule_on("task.complete", Effect::allow), rule_on("task.*", Effect::deny)};
    CHECK(std::holds_alternative<Free>(scene.ask(bee, completion())));
    CHECK(std::holds_alternative<Denied>(scene.ask(bee, {.what = "task.cancel"})));
    CHECK(scene.shelf.all.empty());

    scene.rules = {rule_on("task.*")};
    const auto id = scene.held_by(bee, completion());
    const Approval& request = scene.found(id);
    CHECK(request.subject == "task.complete TASK-1: Ship");
    CHECK(request.rule_name == "four eyes");
    CHECK(request.requester == bee);
    CHECK(request.stage_ends == scene.now + 1h);
    // What the bee says about its work is evidence, and not a fact that rules look at.
    REQUIRE(request.evidence.size() == 2);
    CHECK(request.evidence[0].value == "done");
    CHECK_FALSE(request.act.facts.contains("note"));
    CHECK(scene.said == std::vector<std::string>{"approval.requested"});
}

TEST_CASE("asking again is the same request; another asker, and another message, are not") {
    CouncilUnderTest scene;
    scene.rules = {rule_on("*")};
    const auto first = scene.held_by(bee, completion());
    CHECK(scene.held_by(bee, completion({{"note", "done again"}})) == first);
    CHECK(scene.held_by(other_bee, completion()) != first);
    const auto say = [](const char* text) {
        return Act{
            .what = "channel.post",
            .entity_type = "channel",
            .entity_id = "general",
            .command = {{"content", text}}};
    };
    const auto message = scene.held_by(bee, say("a"));
    CHECK(scene.held_by(bee, say("a")) == message);
    CHECK(scene.held_by(bee, say("b")) != message);
    // Once it is over, the next one is a new one.
    REQUIRE(scene.vote(alice, first, false));
    CHECK(scene.held_by(bee, completion()) != first);
}

TEST_CASE("only whoever asked withdraws, once, and evidence comes only while it is open") {
    CouncilUnderTest scene;
    scene.rules = {rule_on("*")};
    const auto id = scene.held_by(bee, completion());
    const auto add = [&](const Actor& who, std::vector<Evidence> evidence) {
        return scene.as(who, [&](Council& c) { return add_evidence(c, id, evidence); });
    };
    CHECK(add(bee, {{"link", "diff", "https://example.org/1"}}));
    CHECK(add(other_bee, {{"text", "", "me too"}}).error().code == "not-yours");
    CHECK(add(bee, {{"link", "", "javascript:alert(1)"}}).error().kind == Errc::invalid);
    CHECK(add(bee, {{"text", "", 7}}).error().kind == Errc::invalid);
    CHECK(
        add(bee, std::vector<Evidence>(evidence_max, {"text", "", "x"})).error().kind ==
        Errc::invalid);
    const auto take_back = [&](const Actor& who) {
        return scene.as(who, [&](Council& c) { return withdraw(c, id, "not needed"); });
    };
    CHECK(take_back(alice).error().code == "not-yours");
    const auto gone = take_back(bee);
    REQUIRE(gone);
    CHECK(gone->state == State::withdrawn);
    CHECK(gone->carry == Carry::pending); // the task has to come back from its review
    CHECK(take_back(bee).error().code == "already-decided");
    CHECK(add(bee, {{"text", "", "late"}}).error().code == "already-decided");
    CHECK(scene.vote(alice, id, true).error().code == "already-decided");
}

TEST_CASE("when what they are about is gone, requests end without consequence") {
    CouncilUnderTest scene;
    scene.rules = {rule_on("*")};
    const auto id = scene.held_by(bee, completion());
    scene.as(alice, [](Council& c) { return drop_requests_about(c, "t-1", "cancelled"); });
    CHECK(scene.found(id).state == State::withdrawn);
    CHECK(scene.found(id).carry == Carry::nothing);
}

TEST_CASE("a question holds nothing back and is asked as often as one likes") {
    CouncilUnderTest scene;
    const auto asked = [&](std::vector<Stage> stages) {
        return scene.as(bee, [&](Council& c) {
            return open_request(
                c, {.act = {.what = std::string{question}}, .subject = "May I?", .stages = stages});
        });
    };
    const auto one = asked({{.roles = {Role::human}}});
    REQUIRE(one);
    CHECK(asked({{.roles = {Role::human}}})->id != one->id);
    CHECK_FALSE(asked({}));
    CHECK_FALSE(asked({{.people = {"x"}, .quorum = 3}}));
    CHECK(scene.vote(alice, one->id, true)->carry == Carry::nothing);
}

TEST_CASE("a stored request reads back equal and shows no command; a damaged one is an error") {
    CouncilUnderTest scene;
    scene.rules = {rule_on("*")};
    const auto id = scene.held_by(bee, completion({{"password", "hunter2"}}));
    REQUIRE(scene.vote(alice, id, true));
    const Approval& request = scene.found(id);
    CHECK(from_stored(to_stored(request)).value() == request);
    CHECK(to_text(to_json(request)).find("hunter2") == std::string::npos);
    for (const auto* text : {"", "{}", "[]", R"({"state":"odd"})"}) CHECK_FALSE(from_stored(text));
}
