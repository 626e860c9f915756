#include "colony/approvals/council_under_test.hpp"
#include "colony/approvals/deciding.hpp"

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::approvals;
using namespace std::chrono_literals;
using accounts::Role;

namespace {

const Actor bee{"BEE-1", Role::bee};
const Actor alice{"alice", Role::human};
const Actor bob{"bob", Role::human};
const Actor carol{"carol", Role::human};
const Actor root{"root", Role::admin};

const Act start{.what = "swarm.start", .entity_type = "swarm", .entity_id = "alpha"};

CouncilUnderTest with_stages(std::vector<Stage> stages) {
    CouncilUnderTest scene;
    scene.rules = {
        {.id = "r", .name = "start", .match = {.acts = {"swarm.*"}}, .stages = std::move(stages)}};
    return scene;
}

std::vector<Approval> pass(CouncilUnderTest& scene, Duration time) {
    scene.now += time;
    return scene.as({"hive", Role::admin}, [](Council& c) { return run_out(c, 100); }).value();
}

Digest word_of(std::uint8_t n) {
    Digest word{};
    word[0] = n;
    return word;
}

} // namespace

TEST_CASE("as many as the quorum says have to agree, each once, and nobody for themselves") {
    auto scene = with_stages({{.roles = {Role::human}, .quorum = 2}});
    const auto id = scene.held_by(alice, start);
    CHECK(scene.vote(alice, id, true).error().code == "own-request");
    CHECK(scene.vote(bee, id, true).error().code == "not-a-decider");
    CHECK(scene.vote(bob, id, true)->state == State::open);
    CHECK(scene.vote(bob, id, true).error().code == "voted-already");
    const auto done = scene.vote(carol, id, true);
    REQUIRE(done);
    CHECK(done->state == State::approved);
    CHECK(done->carry == Carry::pending);
    CHECK(done->ended_by == "carol");
    CHECK(scene.vote(root, id, false).error().code == "already-decided");
    CHECK(
        scene.said ==
        std::vector<std::string>{"approval.requested", "approval.voted", "approval.decided"});
}

TEST_CASE("one denial denies, and nothing follows from it") {
    auto scene = with_stages({{.roles = {Role::human}, .quorum = 3}});
    const auto id = scene.held_by(bee, start);
    REQUIRE(scene.vote(bob, id, true));
    const auto denied = scene.vote(carol, id, false);
    REQUIRE(denied);
    CHECK(denied->state == State::denied);
    CHECK(denied->carry == Carry::nothing);
    CHECK(denied->reason == "because");
}

TEST_CASE("time that runs out goes along the chain and then denies, recorded as a timeout") {
    auto scene =
        with_stages({{.people = {"bob"}, .within = 1h}, {.roles = {Role::admin}, .within = 2h}});
    const auto id = scene.held_by(bee, start);
    CHECK(pass(scene, 59min).empty());
    // The time is over for everyone, whether or not anybody has noticed.
    scene.now += 1min;
    CHECK(scene.vote(bob, id, true).error().code == "too-late");
    CHECK(pass(scene, 0min).empty());
    CHECK(scene.found(id).stage == 1);
    CHECK(scene.vote(bob, id, true).error().code == "not-a-decider");
    const auto over = pass(scene, 2h);
    REQUIRE(over.size() == 1);
    CHECK(over[0].state == State::timed_out);
    CHECK(over[0].carry == Carry::nothing);
    CHECK(over[0].ended_by.empty());
    CHECK(pass(scene, 24h).empty());
    CHECK(
        scene.said ==
        std::vector<std::string>{"approval.requested", "approval.escalated", "approval.timeout"});
}

TEST_CASE("votes of an earlier stage do not count in the next") {
    auto scene = with_stages(
        {{.roles = {Role::human}, .quorum = 2, .within = 1h}, {.roles = {Role::human}}});
    const auto id = scene.held_by(bee, start);
    REQUIRE(scene.vote(bob, id, true));
    pass(scene, 1h);
    CHECK(scene.found(id).state == State::open);
    CHECK(scene.vote(bob, id, true)->state == State::approved);
}

TEST_CASE("an admin overrides with a reason, and only then") {
    auto scene = with_stages({{.people = {"bob"}}});
    const auto id = scene.held_by(bee, start);
    const auto overrule = [&](const Actor& who, const std::string& reason) {
        return scene.as(who, [&](Council& c) {
            return override_with(c, id, {.who = who, .approve = true, .comment = reason});
        });
    };
    CHECK(overrule(alice, "please").error().code == "admins-only");
    CHECK(overrule(root, " \n").error().code == "reason-needed");
    const auto done = overrule(root, "bob is on holiday");
    REQUIRE(done);
    CHECK(done->overridden);
    CHECK(done->state == State::approved);
    CHECK(done->votes.empty());
    CHECK(scene.said.back() == "approval.overridden");
    CHECK(overrule(root, "again").error().code == "already-decided");
}

TEST_CASE("a link decides once, in the name of one person, until it expires") {
    auto scene = with_stages({{.roles = {Role::human}, .quorum = 2, .within = 3h}});
    const auto id = scene.held_by(bee, start);
    const auto link = [&](const Actor& who, LinkWish wish, std::uint8_t word) {
        return scene.as(who, [&](Council& c) { return make_link(c, id, wish, word_of(word)); });
    };
    const auto follow = [&](std::uint8_t word) {
        return scene.as({"nobody"}, [&](Council& c) {
            return decide_by_link(c, word_of(word), {.who = root, .approve = true});
        });
    };
    REQUIRE(link(bob, {}, 1));
    CHECK(follow(9).error().code == "no-such-link");
    const auto decided = follow(1);
    REQUIRE(decided);
    CHECK(decided->votes.front().who == "bob"); // whoever the caller says they are
    CHECK(decided->votes.front().via == "link");
    CHECK(follow(1).error().code == "link-used");

    CHECK(link(bob, {}, 2).error().code == "voted-already");
    CHECK(link(alice, {.person = "carol"}, 2).error().code == "not-yours");
    CHECK(link(alice, {.valid_for = 365 * 24h}, 2).error().kind == Errc::invalid);
    CHECK(link(bee, {}, 2).error().code == "own-request");
    const auto made = link(root, {.person = "carol", .valid_for = 24h}, 2);
    REQUIRE(made);
    CHECK(made->expires == scene.now + 3h); // never longer than there is time to decide
    REQUIRE(link(alice, {.valid_for = 1h}, 3));
    scene.now += 1h;
    CHECK(follow(3).error().code == "link-expired");
    CHECK(follow(2)->state == State::approved);
    CHECK(follow(2).error().code == "link-used");
}

TEST_CASE("an admin cannot make somebody else approve the admin's own request") {
    auto scene = with_stages({{.roles = {Role::human}}});
    const auto id = scene.held_by(root, start);
    const auto made =
        scene.as(root, [&](Council& c) { return make_link(c, id, {.person = "bob"}, word_of(1)); });
    CHECK(made.error().code == "not-yours");
}

TEST_CASE("what was held back is done once, or refused once, and then it is over") {
    auto scene = with_stages({{.roles = {Role::human}}});
    const auto id = scene.held_by(bee, start);
    REQUIRE(scene.vote(alice, id, true));
    const auto carried = [&](const std::string& refusal) {
        Approval approval = scene.found(id);
        return scene.as(
            {"hive", Role::admin}, [&](Council& c) { return note_carried(c, approval, refusal); });
    };
    CHECK(carried(""));
    CHECK(scene.found(id).carry == Carry::done);
    CHECK(carried("").error().code == "carried-already");
    const auto second = scene.held_by(bee, start);
    REQUIRE(scene.vote(alice, second, true));
    Approval approval = scene.found(second);
    REQUIRE(scene.as(bee, [&](Council& c) { return note_carried(c, approval, "no such swarm"); }));
    CHECK(scene.found(second).carry == Carry::refused);
    CHECK(scene.found(second).carry_note == "no such swarm");
}
