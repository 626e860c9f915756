#include "scenario/tar.hpp"
#include "tests/system/server_scenarios_scene.hpp"

#include <algorithm>

using namespace hive;
using namespace hive::test;

namespace {

constexpr const char* tar = "application/x-tar";
constexpr const char* bytes = "application/octet-stream";

std::string text_at(const Answer& answer, std::string_view name) {
    return std::string{parsed(answer.body).at(name).as_string()};
}

} // namespace

TEST_CASE("a scenario is created, listed, read, replaced and deleted") {
    Scenarios scene;
    const auto made = scene.create("");
    REQUIRE_MESSAGE(made.status == 201, made.body);
    CHECK(made.headers.at("location") == "/api/v1/scenarios/hello"); // its own id
    const auto listed = parsed(scene.get("/scenarios").body).at("items").as_array();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].at("name") == "Hello");
    CHECK(listed[0].at("valid") == true);
    CHECK(listed[0].at("revision").as_string() == text_at(made, "revision"));

    const auto seen = scene.get("/scenarios/hello");
    CHECK(seen.headers.at("etag") == "\"" + text_at(made, "revision") + "\"");
    const auto whole = parsed(seen.body);
    CHECK(whole.at("files").at(0).at("path") == "scenario.yaml");
    CHECK(whole.at("files").at(0).at("size") == sound_scenario.size());
    CHECK(whole.at("model").at("bees").at(0).at("kind") == "echo");
    const auto again = scene.send(
        {.path = "/scenarios/hello",
         .headers = fmt::format("If-None-Match: {}\r\n", seen.headers.at("etag"))});
    CHECK(again.status == 304);

    const auto replaced = scene.send(
        {.method = "PUT",
         .path = "/scenarios/hello",
         .body = Scenarios::files_body(sound_scenario + "description: more\n"),
         .headers = Scenarios::if_match(seen)});
    REQUIRE_MESSAGE(replaced.status == 200, replaced.body);
    CHECK(text_at(replaced, "description") == "more");
    CHECK(
        scene
            .send(
                {.method = "DELETE",
                 .path = "/scenarios/hello",
                 .headers = Scenarios::if_match(replaced)})
            .status == 204);
    CHECK(scene.get("/scenarios/hello").status == 404);
    CHECK(parsed(scene.get("/scenarios").body).at("items").as_array().empty());
}

TEST_CASE("a change needs the revision that it is for") {
    Scenarios scene;
    const auto first = scene.create("hello");
    const std::string body = Scenarios::files_body(sound_scenario + "description: b\n");
    const auto change = [&](std::string headers) {
        return scene.send(
            {.method = "PUT",
             .path = "/scenarios/hello",
             .body = body,
             .headers = std::move(headers)});
    };
    CHECK(change("").status == 428);
    CHECK(code_of(change("If-Match: \"0123\"\r\n")) == "changed-meanwhile");
    CHECK(change(Scenarios::if_match(first)).status == 200);
    const auto stale = change(Scenarios::if_match(first));
    CHECK(stale.status == 412);
    CHECK(stale.headers.contains("etag"));
    const auto gone = scene.send(
        {.method = "DELETE", .path = "/scenarios/hello", .headers = Scenarios::if_match(first)});
    CHECK(gone.status == 412);
    CHECK(scene.create("hello").status == 409);
    CHECK(scene.create("no/id").status == 400);
}

TEST_CASE("a request that is sent again with its key is answered as the first time") {
    Scenarios scene;
    const Scenarios::Ask ask{
        .method = "POST",
        .path = "/scenarios",
        .body = Scenarios::files_body(sound_scenario),
        .headers = "Idempotency-Key: k-1\r\n"};
    const auto first = scene.send(ask);
    CHECK(first.status == 201);
    const auto second = scene.send(ask);
    CHECK(second.status == 201); // and no conflict with itself
    CHECK(second.body == first.body);
    const Scenarios::Ask removal{
        .method = "DELETE",
        .path = "/scenarios/hello",
        .headers = Scenarios::if_match(first) + "Idempotency-Key: k-2\r\n"};
    CHECK(scene.send(removal).status == 204);
    CHECK(scene.send(removal).status == 204);
}

TEST_CASE("every change is in the audit log with the revisions before and after it") {
    Scenarios scene;
    const auto made = scene.create("hello");
    const std::string first = text_at(made, "revision");
    const auto changed = scene.send(
        {.method = "PUT",
         .path = "/scenarios/hello/files/notes.md",
         .body = "x",
         .headers = Scenarios::if_match(made),
         .type = bytes});
    REQUIRE_MESSAGE(changed.status == 200, changed.body);
    const auto created = scene.hive.await_audit("scenario.created");
    CHECK(created.entity_id == "hello");
    CHECK(created.disclosure->details.find(first) != std::string::npos);
    const auto updated = scene.hive.await_audit("scenario.updated");
    const std::string details = updated.disclosure->details;
    CHECK(details.find(fmt::format(R"("before":"{}")", first)) != std::string::npos);
    CHECK(details.find(text_at(changed, "revision")) != std::string::npos);
    CHECK(details.find("notes.md") != std::string::npos);
    CHECK(updated.actor == "admin:admin");
    CHECK(scene.hive.verify().good());
}

TEST_CASE("single files are read, written and removed, and nothing outside of the bundle") {
    Scenarios scene;
    auto seen = scene.create("hello");
    const std::string path = "/scenarios/hello/files/templates%2Fhttp%2Flogin.yaml";
    const auto put = [&](const std::string& where, const std::string& text) {
        return scene.send(
            {.method = "PUT",
             .path = where,
             .body = text,
             .headers = Scenarios::if_match(seen),
             .type = bytes});
    };
    seen = put(path, "callId: login\n");
    REQUIRE_MESSAGE(seen.status == 200, seen.body);
    CHECK(scene.get(path).body == "callId: login\n");
    CHECK(std::filesystem::exists(scene.folder.path() / "hello/templates/http/login.yaml"));
    for (const char* bad : {"..%2Fx", "%2Fetc%2Fx", "a%2F..%2F..%2Fx", ".git%2Fconfig", "a%5Cb"}) {
        CAPTURE(bad);
        CHECK(put(fmt::format("/scenarios/hello/files/{}", bad), "x").status == 400);
        CHECK(scene.get(fmt::format("/scenarios/hello/files/{}", bad)).status == 400);
    }
    seen = scene.send({.method = "DELETE", .path = path, .headers = Scenarios::if_match(seen)});
    CHECK(seen.status == 200);
    CHECK(scene.get(path).status == 404);
    const auto main = scene.send(
        {.method = "DELETE",
         .path = "/scenarios/hello/files/scenario.yaml",
         .headers = Scenarios::if_match(seen)});
    CHECK(main.status == 400); // it would be no scenario any more
}

TEST_CASE("a bundle goes up and down as a tar archive") {
    Scenarios scene;
    const scenario::Files files{
        {"shop/scenario.yaml", sound_scenario},
        {"shop/datasets/users.csv", std::string{"a\0b", 3}}};
    const auto up = scene.send(
        {.method = "PUT",
         .path = "/scenarios/shop/bundle",
         .body = scenario::write_tar(files).value(),
         .type = tar});
    REQUIRE_MESSAGE(up.status == 201, up.body);
    const auto down = scene.get("/scenarios/shop/bundle");
    CHECK(down.status == 200);
    CHECK(down.headers.at("content-type") == tar);
    CHECK(down.headers.at("content-disposition") == "attachment; filename=\"shop.tar\"");
    CHECK(scenario::read_tar(down.body) == files);
    const auto again = scene.send(
        {.method = "PUT", .path = "/scenarios/shop/bundle", .body = down.body, .type = tar});
    CHECK(again.status == 428); // there is one now: for which revision?
    const auto bad = scene.send(
        {.method = "PUT", .path = "/scenarios/other/bundle", .body = "PK no tar", .type = tar});
    CHECK(bad.status == 400);
    CHECK(scene.get("/scenarios/other").status == 404);
}

TEST_CASE(
    "all that is wrong is said with code, place and hint, of what is kept and of what is not") {
    Scenarios scene;
    scene.create("broken", "id: a\nbees:\n  - role: ekho\n");
    const auto shown = parsed(scene.get("/scenarios").body).at("items").at(0);
    CHECK(shown.at("valid") == false);
    CHECK(shown.at("errors") == 1);
    const auto judged =
        scene.send({.method = "POST", .path = "/scenarios/broken/validate", .body = "{}"});
    REQUIRE_MESSAGE(judged.status == 200, judged.body);
    const auto finding = parsed(judged.body).at("findings").at(0);
    CHECK(finding.at("code") == "unknown-role");
    CHECK(finding.at("severity") == "error");
    CHECK(finding.at("file") == "scenario.yaml");
    CHECK(finding.at("line") == 3);
    CHECK(finding.at("column") == 11);
    CHECK(finding.at("hint") == "did you mean 'echo'?");
    const auto tried = scene.send(
        {.method = "POST",
         .path = "/validation/scenarios",
         .body = Scenarios::files_body("id: a\nbees: []\n")});
    CHECK(parsed(tried.body).at("findings").at(0).at("code") == "no-bees");
    const auto chosen = scene.send(
        {.method = "POST",
         .path = "/validation/scenarios",
         .body = to_text(
             json::object{{"files", {{"scenario.yaml", sound_scenario}}}, {"sut", "nowhere"}})});
    CHECK(parsed(chosen.body).at("findings").at(0).at("code") == "bad-choice");
    CHECK(parsed(scene.get("/scenarios").body).at("items").as_array().size() == 1); // kept nothing
}

TEST_CASE("a template is tried out on one item") {
    Scenarios scene;
    scene.create("hello");
    const auto text = scene.send(
        {.method = "POST",
         .path = "/scenarios/hello/render",
         .body = R"({"bee":"echo","payload":"p","seed":7})"});
    REQUIRE_MESSAGE(text.status == 200, text.body);
    CHECK(text_at(text, "text") == "hello echo p");
    scene.create("broken", "id: a\nbees:\n  - role: ekho\n");
    const auto refused = scene.send(
        {.method = "POST", .path = "/scenarios/broken/render", .body = R"({"bee":"echo"})"});
    CHECK(refused.status == 422);
    CHECK(parsed(refused.body).at("findings").as_array().size() == 1);
}

TEST_CASE("pages follow each other by cursors") {
    Scenarios scene;
    for (const char* id : {"c", "a", "b"}) CHECK(scene.create(id).status == 201);
    const auto first = parsed(scene.get("/scenarios?limit=2").body);
    CHECK(first.at("items").at(0).at("id") == "a");
    const std::string next{first.at("next").as_string()};
    const auto second = parsed(scene.get("/scenarios?limit=2&cursor=" + next).body);
    CHECK(second.at("items").at(0).at("id") == "c");
    CHECK_FALSE(second.as_object().contains("next"));
    CHECK(scene.get("/scenarios?cursor=made-up").status == 400);
}

TEST_CASE("what is edited beside the server is seen, told and recorded") {
    Scenarios scene;
    const auto made = scene.create("hello");
    scene.edit("hello/scenario.yaml", sound_scenario + "description: from outside\n");
    const auto seen = scene.get("/scenarios/hello");
    CHECK(seen.headers.at("etag") != made.headers.at("etag"));
    CHECK(text_at(seen, "description") == "from outside");
    scene.edit("new-one/scenario.yaml", sound_scenario);
    const auto entry = scene.hive.await_audit("scenario.edited");
    CHECK(entry.actor == "system:hive");
    CHECK(scene.get("/scenarios/new-one").status == 200);
}

TEST_CASE("who listens to scenarios hears of every change by its name") {
    Scenarios scene;
    const std::uint64_t before = scene.hive.server->events().last();
    scene.create("hello");
    const auto told = scene.hive.server->events().since(before, 100).events;
    REQUIRE_FALSE(told.empty());
    CHECK(told.front()->topic == "scenario.changed.hello");
    CHECK(parsed(told.front()->data).at("event") == "scenario.created");
    CHECK(parsed(told.front()->data).at("revision").as_string().size() == 32);
}

TEST_CASE("what bees can be told is one document with a manifest each") {
    Scenarios scene;
    const auto answer = scene.get("/capabilities");
    REQUIRE(answer.status == 200);
    const auto all = parsed(answer.body);
    CHECK(all.at("bees").at(0).at("role") == "echo");
    CHECK(all.at("inputs").at(0).at("choice") == "SCHEDULER");
    const auto again = scene.send(
        {.path = "/capabilities",
         .headers = fmt::format("If-None-Match: {}\r\n", answer.headers.at("etag"))});
    CHECK(again.status == 304);
}

TEST_CASE("scenarios are written by people and read by all who may") {
    Scenarios scene;
    using accounts::Role;
    scene.create("hello");
    std::size_t walked = 0;
    for (const auto& route : scene.hive.server->routes().routes()) {
        if (route.tag != "scenarios") continue;
        ++walked;
        CAPTURE(route.id);
        const bool writes = route.idempotency == api::Idempotency::accepted;
        CHECK(route.access.admits(Role::admin));
        CHECK(route.access.admits(Role::human));
        CHECK(route.access.admits(Role::readonly) == !writes);
        std::string path = route.path.substr(std::string_view{"/api/v1"}.size());
        for (auto at = path.find('{'); at != path.npos; at = path.find('{')) {
            path.replace(at, path.find('}', at) - at + 1, "x1");
        }
        for (const Role role : {Role::admin, Role::human, Role::bee, Role::readonly}) {
            const auto answer = scene.hive.send(
                http::name_of(route.method), "/api/v1" + path, scene.hive.key_for(role),
                route.request && route.request->type == "application/json"
                    ? to_text(route.request->example)
                    : "");
            CAPTURE(answer.body);
            CHECK((answer.status == 403) == !route.access.admits(role));
            CHECK(answer.status != 401);
            CHECK(answer.status < 500);
        }
        const auto nobody = scene.hive.send(http::name_of(route.method), "/api/v1" + path, "");
        CHECK(nobody.status == 401);
    }
    CHECK(walked == 14);
}
