#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

const std::string approvals = "/api/v1/approvals";
const std::string rules = "/api/v1/approval-rules";

bool eventually(const std::function<bool()>& true_now) {
    for (int i = 0; i < 600; ++i) {
        if (true_now()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

json::object asking(const char* acts, json::object more = {}) {
    json::object match{{"acts", {acts}}};
    for (auto& [name, value] : more) match[name] = value;
    return {
        {"name", fmt::format("ask about {}", acts)},
        {"match", std::move(match)},
        {"stages", {{{"roles", {"human"}}, {"within", "1h"}}}}};
}

// A task of this bee that is being worked on: its path.
std::string begun(ColonyUnderTest& colony, const std::string& bee, json::object task = {}) {
    const std::string path = "/api/v1/tasks/" + colony.make_task(std::move(task));
    colony.bee(bee).post(path + "/claim");
    return path;
}

// The one request that is open.
json::value only_open(ColonyUnderTest& colony) {
    const auto page = colony.person().get(approvals + "?state=open");
    REQUIRE(page.at("items").as_array().size() == 1);
    return page.at("items").at(0);
}

std::string path_of(const json::value& approval) {
    return approvals + "/" + text_at(approval, "/id");
}

const json::object yes{{"verdict", "approve"}, {"comment", "fine"}};
const json::object no{{"verdict", "deny"}, {"comment", "not yet"}};

} // namespace

TEST_CASE("a completion waits for a person; approved it is done, denied it comes back") {
    ColonyUnderTest colony;
    colony.admin().post(rules, asking("task.complete", {{"tags", {"prod"}}}), 201);
    const auto bee = colony.bee("BEE-001");
    const std::string free = begun(colony, "BEE-001");
    CHECK(text_at(bee.post(free + "/complete", {{"token", 1}}), "/state") == "completed");

    const std::string task = begun(colony, "BEE-001", {{"tags", {"prod"}}});
    const auto reviewed =
        bee.post(task + "/complete", {{"token", 1}, {"note", "done"}, {"result", {{"rate", 7}}}});
    CHECK(text_at(reviewed, "/state") == "in_review");
    const auto request = only_open(colony);
    CHECK(request.at("id") == reviewed.at("approval"));
    CHECK(request.at("mayDecide") == true);
    CHECK(request.at("evidence").as_array().size() == 2);
    const auto decided = colony.person().post(path_of(request) + "/decision", yes);
    CHECK(text_at(decided, "/state") == "approved");
    CHECK(text_at(decided, "/carry") == "done");
    const auto done = bee.get(task);
    CHECK(text_at(done, "/state") == "completed");
    CHECK_FALSE(done.as_object().contains("approval"));
    CHECK(done.at("result").at("rate") == 7);

    const std::string other = begun(colony, "BEE-001", {{"tags", {"prod"}}});
    bee.post(other + "/complete", {{"token", 1}});
    const auto denied = colony.person().post(path_of(only_open(colony)) + "/decision", no);
    CHECK(text_at(denied, "/state") == "denied");
    CHECK(text_at(bee.get(other), "/state") == "pending");
    CHECK(text_at(bee.get(other), "/note") == "not yet");
    CHECK(colony.hive().await_audit("approval.decided").entity_type == "approval");
    CHECK(colony.hive().verify().good());
}

TEST_CASE("any move of a task can be held back, and is made once it is approved") {
    ColonyUnderTest colony;
    const std::string open = "/api/v1/tasks/" + colony.make_task({});
    const auto bee = colony.bee("BEE-001");
    colony.admin().post(rules, asking("task.claim"), 201);
    const auto waits = bee.post(open + "/claim", {{"leaseFor", "2m"}}, 202);
    CHECK(text_at(bee.get(open), "/state") == "pending");
    CHECK(bee.post(open + "/claim", {}, 202).at("approval") == waits.at("approval")); // once
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().empty());
    colony.person().post(path_of(only_open(colony)) + "/decision", yes);
    const auto held = bee.get(open);
    CHECK(text_at(held, "/lease/holder") == "BEE-001");
    CHECK(text_at(held, "/lease/span") == "2m");

    colony.admin().post(rules, asking("task.cancel"), 201);
    colony.person("bob").post(open + "/cancel", {{"note", "useless"}}, 202);
    CHECK(text_at(bee.get(open), "/state") == "claimed");
    colony.person().post(path_of(only_open(colony)) + "/decision", yes);
    CHECK(text_at(bee.get(open), "/state") == "cancelled");
}

TEST_CASE("what cannot be done any more when it is approved is refused, and that is recorded") {
    ColonyUnderTest colony;
    const std::string task = "/api/v1/tasks/" + colony.make_task({});
    const auto rule = colony.admin().post(rules, asking("task.claim"), 201);
    colony.bee("BEE-001").post(task + "/claim", {}, 202);
    const auto request = only_open(colony);
    const std::string rule_path = rules + "/" + text_at(rule, "/id");
    CHECK(colony.hive().send("DELETE", rule_path, colony.admin().headers).status == 204);
    colony.bee("BEE-002").post(task + "/claim");
    const auto decided = colony.person().post(path_of(request) + "/decision", yes);
    CHECK(text_at(decided, "/state") == "approved");
    CHECK(text_at(decided, "/carry") == "refused");
    CHECK(text_at(decided, "/carryNote").find("BEE-002") != std::string::npos);
    CHECK(text_at(colony.person().get(task), "/lease/holder") == "BEE-002");
    CHECK(colony.hive().await_audit("approval.carried").entity_id == text_at(request, "/id"));
}

TEST_CASE("a message can be held back by channel, and rules can forbid and make exceptions") {
    ColonyUnderTest colony;
    colony.admin().post(rules, asking("channel.post", {{"channels", {"announce*"}}}), 201);
    const json::object forbid{
        {"name", "no bees in ops"},
        {"effect", "deny"},
        {"match", {{"acts", {"channel.*"}}, {"channels", {"ops"}}, {"from", {"bee"}}}}};
    colony.admin().post(rules, forbid, 201);
    const auto bee = colony.bee("BEE-001");
    bee.post("/api/v1/channels/general/messages", {{"content", "free"}}, 201);
    const auto refused = bee.post("/api/v1/channels/ops/messages", {{"content", "x"}}, 403);
    CHECK(text_at(refused, "/code") == "denied-by-rule");
    colony.person().post("/api/v1/channels/ops/messages", {{"content", "x"}}, 201);

    bee.post("/api/v1/channels/announcements/messages", {{"content", "we ship"}}, 202);
    const std::string channel = "/api/v1/channels/announcements/messages";
    CHECK(bee.get(channel).at("items").as_array().empty());
    colony.person().post(path_of(only_open(colony)) + "/decision", yes);
    const auto said = bee.get(channel);
    REQUIRE(said.at("items").as_array().size() == 1);
    CHECK(text_at(said, "/items/0/sender") == "BEE-001");
    CHECK(text_at(said, "/items/0/content") == "we ship");
}

TEST_CASE("nobody decides on their own request, twice, or without being asked") {
    ColonyUnderTest colony;
    json::object rule = asking("task.cancel");
    rule["stages"] = {{{"roles", {"human", "admin"}}, {"quorum", 2}}};
    colony.admin().post(rules, rule, 201);
    const std::string task = "/api/v1/tasks/" + colony.make_task({});
    colony.person("bob").post(task + "/cancel", {}, 202);
    const std::string decision = path_of(only_open(colony)) + "/decision";
    const auto code = [&](const ColonyUnderTest::Member& who, unsigned status) {
        return text_at(who.post(decision, yes, status), "/code");
    };
    CHECK(code(colony.person("bob"), 403) == "own-request");
    CHECK(colony.bee("BEE-001").send("POST", decision, yes).status == 403);
    colony.person("carol").post(decision, yes);
    CHECK(code(colony.person("carol"), 409) == "voted-already");
    CHECK(text_at(colony.person().get(task), "/state") == "pending"); // one is not enough
    colony.admin().post(decision, yes);
    CHECK(text_at(colony.person().get(task), "/state") == "cancelled");
    CHECK(code(colony.person("dave"), 409) == "already-decided");
}

TEST_CASE("an override needs an admin and a reason; a request is withdrawn by who made it") {
    ColonyUnderTest colony;
    json::object rule = asking("task.complete");
    rule["stages"] = {{{"people", {"nobody-is-there"}}}};
    colony.admin().post(rules, rule, 201);
    const auto bee = colony.bee("BEE-001");
    const std::string task = begun(colony, "BEE-001");
    bee.post(task + "/complete", {{"token", 1}});
    std::string path = path_of(only_open(colony));
    CHECK(text_at(colony.person().post(path + "/decision", yes, 403), "/code") == "not-a-decider");
    colony.person().post(path + "/override", {{"verdict", "approve"}, {"reason", "x"}}, 403);
    colony.admin().post(path + "/override", {{"verdict", "approve"}}, 400);
    colony.admin().post(path + "/override", {{"verdict", "approve"}, {"reason", " "}}, 400);
    const auto over =
        colony.admin().post(path + "/override", {{"verdict", "approve"}, {"reason", "outage"}});
    CHECK(over.at("overridden") == true);
    CHECK(text_at(bee.get(task), "/state") == "completed");
    CHECK(colony.hive().await_audit("approval.overridden").actor == "admin:root");

    const std::string other = begun(colony, "BEE-001");
    bee.post(other + "/complete", {{"token", 1}});
    path = path_of(only_open(colony));
    bee.post(
        path + "/evidence",
        {{"evidence", {{{"kind", "link"}, {"value", "https://example.org/log"}}}}});
    bee.post(path + "/evidence", {{"evidence", {{{"kind", "song"}, {"value", "la"}}}}}, 400);
    colony.bee("BEE-002").post(path + "/withdraw", {}, 403);
    CHECK(text_at(bee.post(path + "/withdraw", {{"reason", "wrong"}}), "/state") == "withdrawn");
    CHECK(text_at(bee.get(other), "/state") == "pending");
    bee.post(path + "/withdraw", {}, 409);
}

TEST_CASE("time runs out along the chain, then denies, and a task comes back from its review") {
    ColonyUnderTest colony;
    json::object rule = asking("task.complete");
    rule["stages"] = {
        {{"people", {"away"}}, {"within", "1s"}}, {{"roles", {"admin"}}, {"within", "1s"}}};
    colony.admin().post(rules, rule, 201);
    const auto bee = colony.bee("BEE-001");
    const std::string task = begun(colony, "BEE-001");
    bee.post(task + "/complete", {{"token", 1}});
    CHECK(eventually([&] { return text_at(bee.get(task), "/state") == "pending"; }));
    const auto page = bee.get(approvals + "?state=timed_out");
    REQUIRE(page.at("items").as_array().size() == 1);
    CHECK(page.at("items").at(0).at("stage") == 1);
    const std::string id = text_at(page, "/items/0/id");
    CHECK(colony.hive().await_audit("approval.escalated").entity_id == id);
    CHECK(colony.hive().await_audit("approval.timeout").entity_id == id);
    CHECK(colony.hive().await_audit("approval.timeout").actor == "system:hive");
}

TEST_CASE("a task that is cancelled in review needs nobody's decision any more") {
    ColonyUnderTest colony;
    colony.admin().post(rules, asking("task.complete"), 201);
    const std::string task = begun(colony, "BEE-001");
    colony.bee("BEE-001").post(task + "/complete", {{"token", 1}});
    const std::string path = path_of(only_open(colony));
    colony.person().post(task + "/cancel");
    CHECK(text_at(colony.person().get(path), "/state") == "withdrawn");
    colony.person().post(path + "/decision", yes, 409);
    CHECK(text_at(colony.person().get(task), "/state") == "cancelled");
}

TEST_CASE("questions hold nothing back, and listings filter and page") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    for (int i = 0; i < 3; ++i) {
        bee.post(approvals, {{"subject", fmt::format("May I? {}", i)}, {"about", "TASK-9"}}, 201);
    }
    colony.bee("BEE-002").post(approvals, {{"subject", "And I?"}, {"people", {"carol"}}}, 201);
    CHECK(bee.get(approvals + "?entity=TASK-9").at("items").as_array().size() == 3);
    CHECK(bee.get(approvals + "?requester=BEE-002").at("items").as_array().size() == 1);
    CHECK(bee.get(approvals + "?act=swarm.start").at("items").as_array().empty());
    const auto page = bee.get(approvals + "?limit=3");
    CHECK(page.at("items").as_array().size() == 3);
    const auto rest = bee.get(approvals + "?limit=3&cursor=" + text_at(page, "/next"));
    CHECK(rest.at("items").as_array().size() == 1);
    bee.get(approvals + "?state=odd", 400);
    bee.get(approvals + "?colour=red", 400);
    const std::string carols = path_of(page.at("items").at(0));
    CHECK(
        text_at(colony.person().post(carols + "/decision", yes, 403), "/code") == "not-a-decider");
    CHECK(text_at(colony.person("carol").post(carols + "/decision", yes), "/carry") == "nothing");
    bee.get(approvals + "/0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12", 404);
    bee.get(approvals + "/not-an-id", 400);
}

TEST_CASE("rules are checked before they are kept, and changed with a precondition") {
    ColonyUnderTest colony;
    const auto root = colony.admin();
    root.post(rules, {{"name", "x"}}, 400);
    root.post(rules, {{"name", "x"}, {"match", {{"acts", json::array{}}}}}, 400);
    root.post(rules, {{"name", "x"}, {"match", {{"acts", {"task.*"}}}}}, 400); // who decides?
    json::object rule = asking("task.*");
    rule["colour"] = "red";
    root.post(rules, rule, 400);
    rule = asking("task.*");
    rule["stages"] = {{{"roles", {"queen"}}}};
    root.post(rules, rule, 400);
    rule["stages"] = {{{"people", {"a"}}, {"quorum", 2}}};
    root.post(rules, rule, 400);
    rule["stages"] = {{{"people", {"a"}}, {"within", "never"}}};
    root.post(rules, rule, 400);
    CHECK(root.get(rules).at("items").as_array().empty());
    colony.person().post(rules, asking("task.*"), 403);

    const auto made = root.post(rules, asking("task.cancel"), 201);
    const std::string path = rules + "/" + text_at(made, "/id");
    rule = asking("task.claim");
    CHECK(root.send("PUT", path, rule, "If-Match: \"9\"\r\n").status == 412);
    CHECK(root.send("PUT", path, rule).status == 200);
    CHECK(root.get(path).at("revision") == 2);
    colony.person().post("/api/v1/tasks/" + colony.make_task({}) + "/cancel"); // not asked any more
    CHECK(colony.hive().send("DELETE", path, root.headers).status == 204);
    root.get(path, 404);
    CHECK(colony.hive().send("DELETE", path, root.headers).status == 404);
    CHECK(colony.hive().await_audit("approval.rule-removed").actor == "admin:root");
}

TEST_CASE("a request repeated with its key gets the first answer and opens nothing twice") {
    ColonyUnderTest colony;
    colony.admin().post(rules, asking("task.cancel"), 201);
    const std::string task = "/api/v1/tasks/" + colony.make_task({});
    const auto bob = colony.person("bob");
    const auto first = bob.post(task + "/cancel", {}, 202, "Idempotency-Key: \"once\"\r\n");
    const std::string decision = path_of(only_open(colony)) + "/decision";
    for (int i = 0; i < 2; ++i) {
        const auto done =
            colony.person().post(decision, yes, 200, "Idempotency-Key: \"decide\"\r\n");
        CHECK(text_at(done, "/carry") == "done");
    }
    CHECK(bob.post(task + "/cancel", {}, 202, "Idempotency-Key: \"once\"\r\n") == first);
    CHECK(bob.get(approvals).at("items").as_array().size() == 1);
}

TEST_CASE("many decide at the same moment: one decision counts, and the act happens once") {
    ColonyUnderTest colony;
    colony.admin().post(rules, asking("task.complete"), 201);
    const std::string task = begun(colony, "BEE-001");
    colony.bee("BEE-001").post(task + "/complete", {{"token", 1}});
    const auto request = only_open(colony);
    std::vector<ColonyUnderTest::Member> people;
    for (int i = 0; i < 8; ++i) people.push_back(colony.person(fmt::format("person-{}", i)));
    const std::string decision = path_of(request) + "/decision";
    std::atomic<int> counted = 0;
    {
        std::vector<std::jthread> deciding;
        for (std::size_t i = 0; i < people.size(); ++i) {
            deciding.emplace_back([&, i] {
                const auto& ballot = i % 2 == 0 ? yes : no;
                const auto answer = people[i].send("POST", decision, ballot);
                counted += answer.status == 200 ? 1 : 0;
            });
        }
    }
    CHECK(counted == 1);
    const auto ended = colony.person().get(path_of(request));
    CHECK(ended.at("votes").as_array().size() == 1);
    CHECK(text_at(ended, "/carry") == "done");
    int carried = 0;
    for (const auto& entry : colony.hive().audit_entries()) {
        carried += entry.action == "task.completed" || entry.action == "task.rejected" ? 1 : 0;
    }
    CHECK(carried == 1);
}
