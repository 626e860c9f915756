#include "store/approval_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::approvals;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

template <class F>
void in_unit(HiveUnderTest& hive, F work) {
    REQUIRE(store::write_and_wait(hive.db(), {.work = [&](store::Session& session) -> Status {
                                      work(session);
                                      return {};
                                  }}));
}

Approval request(const std::string& id, const std::string& entity = "t-1") {
    return {
        .id = id,
        .rule = "r-1",
        .rule_name = "four eyes",
        .act =
            {.what = "task.complete",
             .entity_type = "task",
             .entity_id = entity,
             .facts = {{"ref", "TASK-1"}},
             .command = {{"note", "done"}}},
        .subject = "task.complete TASK-1",
        .evidence = {{"json", "result", {{"rate", 1}}}},
        .requester = {"BEE-1", accounts::Role::bee},
        .created = Timestamp{100s},
        .stages = {{.roles = {accounts::Role::human}, .within = 10s}},
        .stage_ends = Timestamp{110s}};
}

} // namespace

TEST_CASE("requests are found by id, by the act they hold back, and by what they are asked by") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::ApprovalTable book{session, hive.hive()};
        const Approval first = request("a1");
        Approval second = request("a2", "t-2");
        second.requester.id = "BEE-2";
        second.rule = "r-2";
        REQUIRE(book.insert(first));
        REQUIRE(book.insert(second));
        CHECK(book.find("a1").value() == first);
        CHECK_FALSE(book.find("a9").value());
        CHECK(book.open_with_key(key_of(first.act, first.requester)).value() == first);
        const auto ids = [&](const ApprovalQuery& query) {
            std::string all;
            const auto found = book.list(query);
            REQUIRE(found);
            for (const auto& one : *found) all += one.id;
            return all;
        };
        CHECK(ids({}) == "a2a1");
        CHECK(ids({.after = "a2"}) == "a1");
        CHECK(ids({.limit = 1}) == "a2");
        CHECK(ids({.state = State::open, .requester = "BEE-2"}) == "a2");
        CHECK(ids({.act = "task.complete", .entity = "t-1"}) == "a1");
        CHECK(ids({.rule = "r-2"}) == "a2");
        CHECK(ids({.state = State::denied}).empty());
    });
}

TEST_CASE("an open request is due at the end of its stage; a decided one waits to be carried out") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::ApprovalTable book{session, hive.hive()};
        Approval one = request("a1");
        REQUIRE(book.insert(one));
        CHECK(book.due(Timestamp{109s}, 10)->empty());
        CHECK(book.due(Timestamp{110s}, 10)->size() == 1);
        CHECK(book.pending(10)->empty());
        one.state = State::approved;
        one.carry = Carry::pending;
        one.revision = 2;
        CHECK(book.update(one).value());
        CHECK_FALSE(book.update(one).value()); // it is no longer at the revision before
        CHECK(book.due(Timestamp{200s}, 10)->empty());
        CHECK_FALSE(book.open_with_key(key_of(one.act, one.requester)).value());
        REQUIRE(book.pending(10)->size() == 1);
        CHECK(book.pending(10)->front() == one);
        one.carry = Carry::done;
        one.revision = 3;
        CHECK(book.update(one).value());
        CHECK(book.pending(10)->empty());
        REQUIRE(book.insert(request("a2"))); // the same act may be asked for again
    });
}

TEST_CASE("one act has one open request, also when two ask at the same time") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        REQUIRE(store::ApprovalTable{session, hive.hive()}.insert(request("a1")));
    });
    const auto second = store::write_and_wait(
        hive.db(), {.work = [&](store::Session& session) {
            return store::ApprovalTable{session, hive.hive()}.insert(request("a2"));
        }});
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::conflict);
    in_unit(hive, [&](store::Session& session) { // questions are not acts
        store::ApprovalTable book{session, hive.hive()};
        Approval question_of = request("q1");
        question_of.act = {.what = std::string{question}};
        REQUIRE(book.insert(question_of));
        question_of.id = "q2";
        CHECK(book.insert(question_of));
    });
}

TEST_CASE("rules come in the order in which they are asked") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::ApprovalRuleTable book{session, hive.hive()};
        Rule late{.id = "r1", .name = "late", .match = {.acts = {"*"}}};
        Rule early{.id = "r2", .name = "early", .rank = 1, .match = {.acts = {"task.*"}}};
        REQUIRE(book.put(late));
        REQUIRE(book.put(early));
        CHECK(book.all().value() == Rules{early, late});
        early.rank = 1000;
        REQUIRE(book.put(early));
        CHECK(book.all().value() == Rules{late, early});
        CHECK(book.remove("r1").value());
        CHECK_FALSE(book.remove("r1").value());
        CHECK(book.all()->size() == 1);
    });
}

TEST_CASE("a link is used once, whoever comes first") {
    HiveUnderTest hive;
    in_unit(hive, [&](store::Session& session) {
        store::ApprovalLinkTable links{session, hive.hive()};
        Link link{
            .word = {1, 2, 3},
            .approval = "a1",
            .person = {"alice", accounts::Role::human},
            .made_by = "root",
            .expires = Timestamp{100s}};
        REQUIRE(links.insert(link));
        CHECK(links.find(link.word).value() == link);
        CHECK_FALSE(links.find({9}).value());
        CHECK(links.use(link.word, Timestamp{50s}).value());
        CHECK_FALSE(links.use(link.word, Timestamp{51s}).value());
        link.used = Timestamp{50s};
        CHECK(links.find(link.word).value() == link);
        REQUIRE(links.forget(Timestamp{100s}));
        CHECK(links.find(link.word).value());
        REQUIRE(links.forget(Timestamp{101s}));
        CHECK_FALSE(links.find(link.word).value());
    });
}
