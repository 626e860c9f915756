#include "tests/system/colony_scene.hpp"

using namespace hive;
using namespace hive::test;

TEST_CASE("what can be taken is listed in the order in which it will be") {
    ColonyUnderTest colony;
    const auto bee = colony.bee("BEE-001");
    for (const int priority : {2, 0, 4, 2, 0}) {
        bee.post("/api/v1/tasks", {{"title", "t"}, {"priority", priority}}, 201);
    }
    const std::string listing = "/api/v1/tasks?state=pending&order=next&limit=2";
    std::vector<std::string> refs;
    json::value page = bee.get(listing);
    for (;;) {
        for (const auto& task : page.at("items").as_array()) refs.push_back(text_at(task, "/ref"));
        if (!page.as_object().contains("next")) break;
        page = bee.get(listing + "&cursor=" + text_at(page, "/next"));
    }
    CHECK(refs == std::vector<std::string>{"TASK-2", "TASK-5", "TASK-1", "TASK-4", "TASK-3"});
    for (const auto& ref : refs) {
        CHECK(text_at(bee.post("/api/v1/tasks/claim-next"), "/items/0/ref") == ref);
    }
    // A cursor is good for its own order only.
    const auto newest = bee.get("/api/v1/tasks?limit=2");
    CHECK(
        colony.hive()
            .send("GET", listing + "&cursor=" + text_at(newest, "/next"), bee.headers)
            .status == 400);
    CHECK(colony.hive().send("GET", "/api/v1/tasks?order=oldest", bee.headers).status == 400);
}
