#include "tests/support/places.hpp"
#include "tests/system/program_lines.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

TEST_CASE("a browser signs in with the link, opens a WebSocket with a ticket and hears a change") {
    HiveUnderTest hive;
    const std::string link = hive.server->login_link("ann", accounts::Role::admin);
    ProgramLines browser{fmt::format(
        "NODE_PATH='{}' exec timeout 60 node '{}/tests/system/browser_events.cjs' '{}' "
        "/usr/bin/chromium 2>&1",
        hive::tests::in_build("npm-system/node_modules"), hive::tests::in_source(""), link)};
    CHECK(browser.next() == "You are signed in as ann (admin).");
    REQUIRE(browser.next() == "listening");
    const std::string admin = hive.key_for(accounts::Role::admin);
    hive.send("POST", "/api/v1/keys", admin, R"({"owner":"b","role":"bee"})");
    CHECK(browser.next() == "Live: 1 heard, the last one key.created.");
    CHECK(browser.next().empty());
}
