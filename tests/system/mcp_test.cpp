#include "api/mcp/mcp_routes.hpp"
#include "tests/system/colony_scene.hpp"

#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

namespace {

class McpUnderTest {
public:
    McpUnderTest() : colony{{}, [](rest::HiveParts& parts) { mcp::offer_mcp({"1.0"}, parts); }} {}

    Answer send(
        const ColonyUnderTest::Member& who, const json::value& message,
        const std::string& headers = "Accept: application/json, text/event-stream\r\n") {
        return colony.hive().send(
            "POST", "/mcp", who.headers + "Content-Type: application/json\r\n" + headers,
            to_text(message));
    }
    json::value
    call(const ColonyUnderTest::Member& who, std::string_view tool, const json::object& arguments) {
        const auto answer =
            send(who, request("tools/call", {{"name", tool}, {"arguments", arguments}}));
        REQUIRE_MESSAGE(answer.status == 200, answer.body);
        return parsed(answer.body).at("result");
    }
    static json::object request(std::string_view method, const json::object& params = {}) {
        return {{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}};
    }

    ColonyUnderTest colony;
};

} // namespace

TEST_CASE("a session is begun, used by whoever began it, and ended") {
    McpUnderTest hive;
    const auto bee = hive.colony.bee("B1");
    const auto greeting =
        hive.send(bee, McpUnderTest::request("initialize", {{"protocolVersion", "2025-11-25"}}));
    CHECK(greeting.status == 200);
    const std::string session =
        fmt::format("Mcp-Session-Id: {}\r\n", greeting.headers.at("mcp-session-id"));
    CHECK(hive.send(bee, McpUnderTest::request("ping"), session).status == 200);
    const json::object note{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};
    const auto noted = hive.send(bee, note, session);
    CHECK(noted.status == 202);
    CHECK(noted.body.empty());
    const auto theft = hive.send(hive.colony.bee("B2"), McpUnderTest::request("ping"), session);
    CHECK(theft.status == 404);
    CHECK(code_of(theft) == "no-such-session");
    CHECK(
        hive.send(bee, McpUnderTest::request("ping"), "Mcp-Session-Id: made-up\r\n").status == 404);
    hive.colony.hive().restart();
    CHECK(hive.send(bee, McpUnderTest::request("ping"), session).status == 200);
    CHECK(hive.colony.hive().send("DELETE", "/mcp", bee.headers + session).status == 204);
    const auto listening = hive.colony.hive().get("/mcp", bee.headers);
    CHECK(listening.status == 405);
    CHECK(listening.headers.at("allow").find("POST") != std::string::npos);
}

TEST_CASE("an answer is JSON, or an event stream where only that is taken") {
    McpUnderTest hive;
    const auto bee = hive.colony.bee("B1");
    const auto plain = hive.send(bee, McpUnderTest::request("ping"));
    CHECK(plain.headers.at("content-type") == "application/json");
    const auto stream =
        hive.send(bee, McpUnderTest::request("ping"), "Accept: text/event-stream\r\n");
    CHECK(stream.headers.at("content-type") == "text/event-stream");
    CHECK(stream.body == "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
}

TEST_CASE("foreign sites, unknown revisions, nobody and nonsense are refused") {
    McpUnderTest hive;
    const auto bee = hive.colony.bee("B1");
    const auto ping = McpUnderTest::request("ping");
    const auto foreign = hive.send(bee, ping, "Origin: https://evil.example\r\n");
    CHECK(foreign.status == 403);
    CHECK(code_of(foreign) == "foreign-origin");
    CHECK(hive.send(bee, ping, "MCP-Protocol-Version: 1999-01-01\r\n").status == 400);
    CHECK(hive.send(bee, ping, "MCP-Protocol-Version: 2025-06-18\r\n").status == 200);
    CHECK(hive.send({&hive.colony.hive(), ""}, ping).status == 401);
    const auto wrong = hive.send(bee, {{"jsonrpc", "2.0"}, {"id", 1}});
    CHECK(wrong.status == 400);
    CHECK(parsed(wrong.body).at("error").at("code") == -32600);
    CHECK(hive.send(bee, json::array{ping}).status == 400);
}

TEST_CASE("tools act as the caller: the same permissions, audit entries and refusals as REST") {
    McpUnderTest hive;
    const auto task = hive.colony.make_task({{"title", "sweep"}});
    const auto bee = hive.colony.bee("B1");
    const auto taken = hive.call(bee, "claim", {{"task", task}});
    const auto token = taken.at("structuredContent").at("tasks").at(0).at("lease").at("token");
    CHECK(hive.colony.hive().await_audit("task.claimed").actor == "bee:B1");
    const auto other =
        hive.call(hive.colony.bee("B2"), "complete", {{"task", task}, {"token", token}});
    CHECK(other.at("isError") == true);
    const auto done = hive.call(bee, "complete", {{"task", task}, {"token", token}});
    CHECK(text_at(done, "/structuredContent/task/state") == "completed");
    // A key that may only read tasks can look, and not take.
    const ColonyUnderTest::Member reader{
        &hive.colony.hive(), HiveUnderTest::bearer(hive.colony.hive().key_text(
                                 {.id = {}, .owner = "R", .role = accounts::Role::readonly}))};
    CHECK(hive.call(reader, "ready", {}).at("isError") == false);
    const auto denied = hive.call(reader, "claim", {});
    CHECK(denied.at("isError") == true);
    CHECK(text_at(denied, "/content/0/text").find("may not do that") != std::string::npos);
}
