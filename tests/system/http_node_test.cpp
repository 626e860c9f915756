#include "tests/support/places.hpp"
#include "tests/system/http_api.hpp"
#include "tests/system/program_lines.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

namespace {

ProgramLines node_client(const std::string& url) {
    return ProgramLines{fmt::format(
        "NODE_PATH='{}' exec node '{}/tests/system/http_ws_client.cjs' '{}' 2>&1",
        hive::tests::in_build("npm-system/node_modules"), hive::tests::in_source(""), url)};
}

} // namespace

TEST_CASE("the ws client of npm understands us: messages of every size, pings, fragments, close") {
    ApiUnderTest under;
    ProgramLines client = node_client(fmt::format("ws://{}/ws?token=admin-key", under.address()));
    REQUIRE(client.next() == "open \"\""); // it offers compression, we take none
    REQUIRE(client.next() == "subscribed");
    for (const std::size_t size : {1U, 50U, 126U, 300U, 65535U, 200'000U}) {
        under.hub.publish("task.text", fmt::format(R"({{"text":"{}"}})", std::string(size, 'a')));
        const std::string expected = fmt::format(
            "task.text false {} {}", size, std::string(std::min<std::size_t>(size, 4), 'a'));
        CHECK(client.next() == expected);
    }
    under.hub.publish("task.text", R"({"text":"zażółć gęślą jaźń"})");
    CHECK(client.next() == "task.text false 17 zażó");
    under.hub.publish("task.ping", "{}");
    CHECK(client.next() == "pong are you there");
    under.hub.publish("task.fragments", "{}");
    CHECK(client.next() == "subscribed");
    under.hub.publish("bee.text", R"({"text":"after"})");
    CHECK(client.next() == "bee.text false 5 afte");
    under.hub.publish("task.end", "{}");
    CHECK(client.next() == "close 1000");
}
