#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// A question of a bee that people decide, and links to do so.
class LinkScene {
public:
    explicit LinkScene(json::object more = {}) {
        json::object question{{"subject", "May I <b>delete</b> it?"}};
        question["evidence"] = {{{"kind", "text"}, {"value", "<script>alert(1)</script>"}}};
        for (auto& [name, value] : more) question[name] = value;
        const auto asked = colony.bee("BEE-001").post("/api/v1/approvals", question, 201);
        path = "/api/v1/approvals/" + text_at(asked, "/id");
    }

    std::string link_of(const ColonyUnderTest::Member& who, json::object wish = {}) {
        const std::string url = text_at(who.post(path + "/links", wish, 201), "/url");
        return url.substr(url.find("/approve?"));
    }
    Answer follow(const std::string& link, const std::string& form, std::string headers = "") {
        return colony.hive().send(
            "POST", link, headers + "Content-Type: application/x-www-form-urlencoded\r\n", form);
    }
    std::string state() { return text_at(colony.person().get(path), "/state"); }

    ColonyUnderTest colony;
    std::string path;
};

bool shows(const Answer& answer, std::string_view text) {
    return answer.body.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("a link shows what is asked, decides by its form, and works once") {
    LinkScene scene;
    const std::string link = scene.link_of(scene.colony.person());
    for (int i = 0; i < 3; ++i) { // as programs do that show previews
        const auto page = scene.colony.hive().get(link, "");
        CHECK(page.status == 200);
        CHECK(shows(page, "May I &lt;b&gt;delete&lt;/b&gt; it?"));
        CHECK(shows(page, "&lt;script&gt;"));
        CHECK_FALSE(shows(page, "<script"));
        const std::string policy = page.headers.at("content-security-policy");
        CHECK(policy.find("default-src 'none'") != std::string::npos);
        CHECK(policy.find("script-src") == std::string::npos);
        CHECK(page.headers.at("referrer-policy") == "no-referrer");
        CHECK(page.headers.at("cache-control") == "no-store");
    }
    CHECK(scene.state() == "open");
    CHECK(scene.follow(link, "verdict=perhaps").status == 400);
    CHECK(scene.follow(link, "verdict=approve&by=root").status == 400);
    CHECK(scene.follow(link, "").status == 400);
    CHECK(scene.state() == "open");
    const auto done = scene.follow(link, "comment=fine+by+me&verdict=approve");
    CHECK_MESSAGE(done.status == 200, done.body);
    const auto decided = scene.colony.person().get(scene.path);
    CHECK(text_at(decided, "/state") == "approved");
    CHECK(text_at(decided, "/votes/0/who") == "alice");
    CHECK(text_at(decided, "/votes/0/via") == "link");
    CHECK(text_at(decided, "/votes/0/comment") == "fine by me");
    CHECK(scene.follow(link, "verdict=deny").status == 410); // replayed
    CHECK(scene.colony.hive().get(link, "").status == 410);
    CHECK(scene.colony.hive().await_audit("approval.decided").actor == "human:alice");
}

TEST_CASE("a link that is unknown, expired or of a request that is over decides nothing") {
    LinkScene scene;
    const std::string late = scene.link_of(scene.colony.person(), {{"validFor", "1s"}});
    const std::string good = scene.link_of(scene.colony.person("bob"));
    CHECK(scene.follow("/approve?word=guess", "verdict=approve").status == 404);
    CHECK(scene.colony.hive().get("/approve", "").status == 400);
    Answer expired;
    for (int i = 0; i < 600 && expired.status != 410; ++i) {
        expired = scene.colony.hive().get(late, "");
        std::this_thread::sleep_for(50ms);
    }
    CHECK(shows(expired, "expired"));
    CHECK(scene.follow(late, "verdict=approve").status == 410);
    CHECK(scene.state() == "open");
    scene.colony.person("carol").post(scene.path + "/decision", {{"verdict", "deny"}});
    CHECK(scene.follow(good, "verdict=approve").status == 410);
    CHECK(scene.state() == "denied");
}

TEST_CASE("links are for those who may decide; the word is shown once and kept nowhere") {
    LinkScene scene{{{"people", {"alice", "carol"}}, {"quorum", 2}}};
    const auto person = scene.colony.person("dave");
    CHECK(text_at(person.post(scene.path + "/links", {}, 403), "/code") == "not-a-decider");
    const auto for_carol = json::object{{"person", "carol"}};
    CHECK(
        text_at(scene.colony.person().post(scene.path + "/links", for_carol, 403), "/code") ==
        "not-yours");
    scene.colony.bee("BEE-001").post(scene.path + "/links", {}, 403);
    const std::string link = scene.link_of(scene.colony.admin(), for_carol);
    const std::string word = link.substr(link.find('=') + 1);
    CHECK(word.size() >= 43); // 256 bits
    const auto log =
        scene.colony.hive().get("/api/v1/audit?limit=100", scene.colony.admin().headers);
    CHECK(shows(log, "approval.linked"));
    CHECK_FALSE(shows(log, word));
    CHECK_FALSE(scene.colony.hive().log.contains(word));
    CHECK(scene.follow(link, "verdict=approve").status == 200);
    CHECK(scene.state() == "open"); // one of two
    // Whoever is signed in in the same browser does not matter, nor does the cookie of a session.
    const std::string mine = scene.link_of(scene.colony.person());
    Browser browser{scene.colony.hive()};
    browser.open(scene.colony.hive()
                     .server->login_link("dave", accounts::Role::human)
                     .substr(scene.colony.hive().server->url().size()));
    const auto done = scene.follow(mine, "verdict=approve", "Cookie: " + browser.cookie + "\r\n");
    CHECK_MESSAGE(done.status == 200, done.body);
    CHECK(scene.state() == "approved");
}
