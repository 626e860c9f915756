// What stays of swarms: journal, runs and audit log, against the program as people run it.
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::tests;

namespace {

using Sequences = std::vector<std::int64_t>;

Sequences sequences_of(const json::array& entries) {
    Sequences found;
    for (const auto& entry : entries) found.push_back(entry.at("sequence").as_int64());
    return found;
}

std::set<std::string> all_of(const json::array& entries, std::string_view name) {
    std::set<std::string> found;
    for (const auto& entry : entries) found.insert(text_of(entry.as_object(), name));
    return found;
}

using Words = std::set<std::string>;

} // namespace

TEST_CASE("the journal of a swarm says who asked for what, and can be searched") {
    RestHive hive;
    hive.create("alpha", quiet_template);
    const std::string ann = hive.key_for("human");
    const Reply started =
        hive.send({.method = "POST", .path = "/swarms/alpha/start?wait=30s", .key = ann});
    REQUIRE(started.member("status") == "Running");
    hive.post("/swarms/alpha/config?wait=30s", R"({"volume":11})");

    const auto requests = hive.get("/swarms/alpha/journal?kind=request").items();
    REQUIRE(requests.size() == 3); // newest first
    CHECK(requests[2].at("type") == "swarm-create");
    CHECK(requests[2].at("origin") == "admin:queen");
    CHECK(requests[1].at("type") == "swarm-start");
    CHECK(requests[1].at("origin") == "human:human-owner");
    CHECK(requests[0].at("type") == "config-update");

    // What is said beside an answer may be written a moment after it.
    const auto has = [&](const std::string& filter, const char* kind) {
        return hive.eventually([&] {
            const auto found = hive.get("/swarms/alpha/journal?" + filter).items();
            return all_of(found, "kind").contains(kind);
        });
    };
    const std::string of_start = "correlationId=" + started.member("correlationId");
    CHECK(has(of_start, "request"));
    CHECK(has(of_start, "signal"));
    CHECK(has(of_start, "outcome"));
    CHECK(
        all_of(hive.get("/swarms/alpha/journal?" + of_start).items(), "correlationId") ==
        Words{started.member("correlationId")});
    CHECK(has("severity=error", "alert"));
    const auto errors = hive.get("/swarms/alpha/journal?severity=error").items();
    CHECK(all_of(errors, "severity") == Words{"error"});
    CHECK(contains(to_text(errors), "config.volume: is not known"));
    const auto outcomes =
        hive.get("/swarms/alpha/journal?kind=outcome&type=swarm-start&severity=info").items();
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].at("data").at("status") == "Running");
    const auto changes = hive.get("/swarms/alpha/journal?kind=transition").items();
    CHECK(all_of(changes, "type").contains("Running"));
    CHECK(hive.get("/swarms/alpha/journal?severity=terrible").status == 400);
    CHECK(hive.get("/swarms/alpha/journal?since=yesterday").status == 400);
}

TEST_CASE("the journal is read back page by page, and forward from where one stopped") {
    RestHive hive;
    hive.create("alpha", quiet_template, true);
    hive.create("beta", quiet_template);
    const auto whole = sequences_of(hive.get("/journal?limit=1000").items());
    REQUIRE(whole.size() > 12);
    CHECK(std::ranges::is_sorted(whole, std::ranges::greater{}));

    Sequences back;
    std::string cursor;
    do {
        const auto page = hive.get("/journal?limit=5" + cursor);
        REQUIRE_MESSAGE(page.status == 200, page.text);
        const auto part = sequences_of(page.items());
        CHECK(part.size() <= 5);
        back.insert(back.end(), part.begin(), part.end());
        const std::string next = page.member("next");
        cursor = next.empty() ? "" : "&cursor=" + next;
    } while (!cursor.empty());
    // What came meanwhile is newer than the first page.
    back.erase(
        back.begin(), std::ranges::find_if(back, [&](auto one) { return one <= whole.front(); }));
    CHECK(back == whole);

    Sequences forward;
    for (std::int64_t last = 0; last < whole.front(); last = forward.back()) {
        const auto page = hive.get(fmt::format("/journal?limit=5&after={}", last)).items();
        REQUIRE_FALSE(page.empty());
        const auto part = sequences_of(page);
        forward.insert(forward.end(), part.begin(), part.end());
    }
    std::ranges::reverse(forward);
    forward.erase(forward.begin(), std::ranges::find(forward, whole.front()));
    CHECK(forward == whole);
    CHECK(all_of(hive.get("/swarms/beta/journal").items(), "swarm") == Words{"beta"});
    const auto first = hive.get("/journal?limit=5");
    // A cursor belongs to its question.
    CHECK(hive.get("/swarms/beta/journal?limit=5&cursor=" + first.member("next")).status == 400);
    CHECK(hive.get("/journal?after=1&cursor=" + first.member("next")).status == 400);
}

TEST_CASE("runs are listed and annotated, and outlive their swarm with all it went through") {
    RestHive hive;
    hive.create("alpha", quiet_template, true);
    const std::string run = hive.get("/swarms/alpha").member("run");
    const auto shown = hive.get("/runs/" + run);
    CHECK(shown.member("swarm") == "alpha");
    CHECK(shown.member("who") == "admin:queen");
    CHECK_FALSE(shown.body().contains("ended"));
    const auto patched = hive.send(
        {.method = "PATCH",
         .path = "/runs/" + run,
         .body = R"({"labels":{"ticket":"PH-4"},"notes":"first try","pinned":true})"});
    REQUIRE_MESSAGE(patched.status == 200, patched.text);
    const auto now = hive.get("/runs/" + run).body();
    CHECK(now.at("labels").at("ticket") == "PH-4");
    CHECK(now.at("notes") == "first try");
    CHECK(now.at("pinned") == true);
    const auto nobody =
        hive.send({.method = "PATCH", .path = "/runs/none", .body = R"({"notes":"x"})"});
    CHECK(nobody.status == 404);

    REQUIRE(hive.remove("/swarms/alpha?wait=30s").member("status") == "Removed");
    REQUIRE(hive.eventually([&] { return hive.get("/runs/" + run).body().contains("ended"); }));
    hive.create("alpha", quiet_template);
    const auto runs = hive.get("/runs?swarm=alpha").items();
    REQUIRE(runs.size() == 2);
    CHECK(runs[1].at("id") == run.c_str());
    CHECK(all_of(hive.get("/runs?pinned=true").items(), "id") == Words{run});
    const auto page = hive.get("/runs?limit=1");
    CHECK(
        all_of(hive.get("/runs?limit=1&cursor=" + page.member("next")).items(), "id") ==
        Words{run});

    const auto past = hive.get("/swarms/alpha/journal?limit=1000&run=" + run).items();
    CHECK(all_of(past, "run") == Words{run});
    CHECK(all_of(past, "type").contains("swarm-remove"));
    CHECK(all_of(past, "type").contains("Removed"));
    const std::string second = hive.get("/swarms/alpha").member("run");
    CHECK_FALSE(
        all_of(hive.get("/journal?run=" + second).items(), "type").contains("swarm-remove"));
}

TEST_CASE("runs that are over go with their journals when newer ones have ended, unless pinned") {
    RestHive hive{{"--swarm-runs-kept", "1", "--swarm-journal-swept-every", "1s"}};
    std::vector<std::string> runs;
    for (int i = 0; i < 3; ++i) {
        hive.create("alpha", quiet_template);
        runs.push_back(hive.get("/swarms/alpha").member("run"));
        if (i == 0) {
            hive.send(
                {.method = "PATCH", .path = "/runs/" + runs[0], .body = R"({"pinned":true})"});
        }
        REQUIRE(hive.remove("/swarms/alpha?wait=30s").member("status") == "Removed");
    }
    CHECK(hive.eventually([&] { return hive.get("/runs/" + runs[1]).status == 404; }));
    CHECK(hive.get("/journal?run=" + runs[1]).items().empty());
    CHECK_FALSE(hive.get("/journal?run=" + runs[0]).items().empty());
    CHECK_FALSE(hive.get("/journal?run=" + runs[2]).items().empty());
}

TEST_CASE("each command is one entry of the audit log, whose chain is whole") {
    RestHive hive;
    const std::string ann = hive.key_for("human");
    const auto as_ann = [&](const std::string& method, const std::string& path,
                            const std::string& body = "") {
        return hive.send({.method = method, .path = path, .body = body, .key = ann}).status;
    };
    const std::string text = quiet_template;
    CHECK(as_ann("POST", "/swarms?wait=30s", create_body("alpha", text, true)) == 200);
    CHECK(as_ann("POST", "/swarms/alpha/config?wait=30s", R"({"text":"plain-word"})") == 200);
    // Refused by the bees, and recorded all the same: that it was asked for.
    CHECK(as_ann("POST", "/swarms/alpha/config?wait=30s", R"({"password":"secret-word"})") != 202);
    CHECK(
        as_ann("POST", "/swarms/alpha/components/echo/config?wait=30s", R"({"text":"x"})") == 200);
    CHECK(as_ann("POST", "/swarm-managers/alpha/disable?wait=30s") == 200);
    CHECK(as_ann("POST", "/swarm-managers/enable?wait=30s") == 200);
    CHECK(as_ann("POST", "/swarms/alpha/stop?wait=30s") == 200);
    CHECK(as_ann("POST", "/swarms/alpha/stop?wait=30s") < 300);
    CHECK(as_ann("POST", "/swarms/alpha/start?wait=30s") == 200);
    CHECK(as_ann("POST", "/swarms/nobody/start?wait=30s") == 404); // leaves none
    CHECK(as_ann("DELETE", "/swarms/alpha?wait=30s") == 200);

    std::vector<std::string> actions;
    const auto entries = hive.get("/audit?actor=human:human-owner&limit=100").items();
    for (const auto& entry : entries) {
        const std::string action = text_of(entry.as_object(), "action");
        if (action.starts_with("swarm.")) actions.push_back(action);
    }
    std::ranges::reverse(actions);
    CHECK(
        actions == std::vector<std::string>{
                       "swarm.created", "swarm.configured", "swarm.configured", "swarm.configured",
                       "swarm.controller.disabled", "swarm.controller.enabled", "swarm.stopped",
                       "swarm.stopped", "swarm.started", "swarm.removed"});
    CHECK(contains(to_text(entries), "plain-word"));
    CHECK_FALSE(contains(to_text(entries), "secret-word"));
    const auto verified = hive.hive.run({"audit", "verify"});
    CHECK_MESSAGE(verified.exit_code == 0, verified.err);
}
