#include "tests/system/colony_scene.hpp"

#include <chrono>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {
const std::string general = "/api/v1/channels/general/messages";

bool eventually(const std::function<bool()>& true_now) {
    for (int i = 0; i < 100; ++i) {
        if (true_now()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}
} // namespace

TEST_CASE("messages, threads, tags and read cursors") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto person = colony.person();
    const auto first = bee.post(
        "/api/channels/general/messages", {{"content", "hello"}, {"tags", {"#todo"}}}, 201);
    CHECK(text_at(first, "/sender") == "BEE-001");
    const auto reply = person.post(
        general, {{"content", "hi"}, {"type", "response"}, {"replyTo", first.at("id")}}, 201);
    CHECK(reply.at("thread") == first.at("id"));
    const auto thread = bee.get("/api/v1/messages/" + text_at(first, "/id") + "/thread");
    REQUIRE(thread.at("items").as_array().size() == 2);
    CHECK(text_at(thread, "/items/1/content") == "hi");
    CHECK(bee.get(general + "?tag=%23todo").at("items").as_array().size() == 1);
    CHECK(text_at(bee.get(general + "?limit=1"), "/items/0/content") == "hi");
    const auto since = bee.get(general + "?after=" + text_at(first, "/id"));
    CHECK(since.at("items").as_array().size() == 1);

    CHECK(bee.get("/api/v1/channels").at("items").at(0).at("unread") == 2);
    const auto cursor =
        bee.send("PUT", "/api/v1/channels/general/cursor", {{"message", reply.at("id")}});
    CHECK(cursor.status == 200);
    CHECK(bee.get("/api/v1/channels").at("items").at(0).at("unread") == 0);
    bee.send("PUT", "/api/v1/channels/general/cursor", {{"message", first.at("id")}});
    CHECK(bee.get("/api/v1/channels").at("items").at(0).at("unread") == 0); // only forwards
    CHECK(text_at(bee.get("/api/v1/bees/BEE-001"), "/note") == "hello");    // its last words
}

TEST_CASE("a message needs a channel that somebody can read, and something in it") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    bee.post("/api/v1/channels/task:NONE/messages", {{"content", "x"}}, 404);
    bee.post("/api/v1/channels/9bad/messages", {{"content", "x"}}, 400);
    bee.post(general, {{"content", ""}}, 400);
    bee.post(general, {{"text", "x"}}, 400);
    bee.post(general, {{"content", "x"}, {"replyTo", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12"}}, 404);
    bee.post(general, {{"content", "x"}, {"ackWithin", "1m"}}, 400); // from whom?
}

TEST_CASE("a bee that speaks too fast is slowed down, then silenced, and everyone can see it") {
    rest::ColonyPolicy policy;
    policy.quota = {.per_minute = 3, .per_day = 100, .strikes_max = 3, .cooldown = 2s};
    ColonyUnderTest colony{policy};
    const auto bee = colony.bee("BEE-001");
    for (int left = 2; left >= 0; --left) {
        const auto answer = bee.send("POST", general, {{"content", "x"}});
        CHECK(answer.status == 201);
        const std::string limit = answer.headers.at("ratelimit");
        CHECK_MESSAGE(limit.find("\"messages\";r=" + std::to_string(left)) == 0, limit);
    }
    const auto refused = bee.send("POST", general, {{"content", "x"}});
    CHECK(refused.status == 429);
    CHECK(code_of(refused) == "quota-too-fast");
    CHECK(refused.headers.contains("retry-after"));
    bee.send("POST", general, {{"content", "x"}});
    bee.send("POST", general, {{"content", "x"}});
    CHECK(colony.hive().await_audit("bee.silenced").entity_id == "BEE-001");
    CHECK(code_of(bee.send("POST", general, {{"content", "x"}})) == "quota-cooling");
    CHECK(text_at(bee.get("/api/v1/bees/BEE-001"), "/messages/verdict") == "cooling");
    // People are not counted, and another bee is not held up.
    for (int i = 0; i < 10; ++i) colony.person().post(general, {{"content", "x"}}, 201);
    colony.bee("BEE-002").post(general, {{"content", "x"}}, 201);
    CHECK(eventually([&] {
        return text_at(bee.get("/api/v1/bees/BEE-001"), "/messages/verdict") != "cooling";
    }));
}

TEST_CASE("who was asked acknowledges, and a deadline that passes is said once") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    const auto person = colony.person();
    const auto order = person.post(
        "/api/v1/channels/bee:BEE-001/messages", {{"content", "stop"}, {"ackWithin", "1h"}}, 201);
    CHECK(order.at("ackFrom") == json::array{"BEE-001"});
    const auto ack = "/api/v1/messages/" + text_at(order, "/id") + "/ack";
    CHECK(text_at(colony.bee("BEE-002").post(ack, {}, 400), "/code") == "unexpected-body");
    CHECK(colony.hive().send("POST", ack, colony.bee("BEE-002").headers).status == 409);
    CHECK(colony.hive().send("POST", ack, bee.headers).status == 200);
    const auto late = person.post(
        general,
        {{"content", "read this"}, {"ackFrom", {"BEE-001", "BEE-003"}}, {"ackWithin", "1s"}}, 201);
    const auto entry = colony.hive().await_audit("message.overdue");
    CHECK(entry.entity_id == text_at(late, "/id"));
    CHECK(eventually([&] {
        return person.get("/api/v1/messages/" + entry.entity_id).as_object().contains("overdue");
    }));
}

TEST_CASE("bees are there when they act, quiet when they do not, and paused by people") {
    rest::ColonyPolicy policy;
    policy.silence = {.quiet_after = 1s, .silent_after = 1h};
    ColonyUnderTest colony{policy};
    const auto bee = colony.bee("BEE-001");
    const auto person = colony.person();
    bee.post("/api/v1/bees/heartbeat", {{"skills", {"cpp"}}, {"status", "STANDBY"}});
    const auto task = colony.make_task({{"title", "sweep"}});
    bee.post("/api/v1/tasks/" + task + "/claim");
    const auto seen = person.get("/api/v1/bees/BEE-001");
    CHECK(text_at(seen, "/presence") == "working");
    CHECK(text_at(seen, "/tasks/0/title") == "sweep");
    CHECK(text_at(seen, "/status") == "STANDBY");
    CHECK(colony.hive().await_audit("bee.quiet").entity_id == "BEE-001");
    CHECK(text_at(person.get("/api/v1/bees").at("items").at(0), "/alarm") == "quiet");
    bee.post("/api/v1/bees/heartbeat");
    CHECK(colony.hive().await_audit("bee.back").entity_id == "BEE-001");

    CHECK(colony.hive().send("POST", "/api/v1/bees/BEE-001/pause", person.headers).status == 200);
    colony.make_task({});
    CHECK(text_at(bee.post("/api/v1/tasks/claim-next", {}, 409), "/code") == "bee-paused");
    CHECK(colony.hive().send("POST", "/api/v1/bees/BEE-001/resume", bee.headers).status == 403);
    CHECK(colony.hive().send("POST", "/api/v1/bees/BEE-001/resume", person.headers).status == 200);
    CHECK(bee.post("/api/v1/tasks/claim-next").at("items").as_array().size() == 1);
    person.get("/api/v1/bees/NOBODY", 404);
}
