#include "api/mcp/cancellations.hpp"
#include "api/mcp/exchange.hpp"
#include "api/schema.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::mcp;

namespace {

Exchange begun(const std::string& method, const json::object& params = {}) {
    return {
        {"1.0"},
        read_message(
            json::value{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}})};
}

Exchange called(const std::string& tool, const json::object& arguments = {}) {
    return begun("tools/call", {{"name", tool}, {"arguments", arguments}});
}

json::object result_of(const Exchange& exchange) {
    REQUIRE_FALSE(exchange.wants());
    const auto answer = parse_json(exchange.answer());
    REQUIRE_MESSAGE(answer, exchange.answer());
    REQUIRE_MESSAGE(answer->as_object().contains("result"), exchange.answer());
    return answer->at("result").as_object();
}

int code_of(const Exchange& exchange) {
    return parse_json(exchange.answer())->at("error").at("code").to_number<int>();
}

std::string trouble_in(const Exchange& exchange) {
    const auto result = result_of(exchange);
    CHECK(result.at("isError") == true);
    CHECK_FALSE(result.contains("structuredContent"));
    return std::string{result.at("content").at(0).at("text").as_string()};
}

json::object problem(std::string_view code, std::string_view detail) {
    return {{"code", code}, {"detail", detail}};
}

json::object task(int token) {
    return {{"id", "t1"}, {"ref", "TASK-1"}, {"lease", json::object{{"token", token}}}};
}

} // namespace

TEST_CASE("a client is greeted in the revision it wants, or else in ours") {
    auto exchange = begun("initialize", {{"protocolVersion", "2025-06-18"}});
    CHECK(exchange.begins_session());
    CHECK(result_of(exchange).at("protocolVersion") == "2025-06-18");
    CHECK(
        result_of(begun("initialize", {{"protocolVersion", "1999-01-01"}})).at("protocolVersion") ==
        "2025-11-25");
    CHECK(code_of(begun("initialize")) == -32602);
    CHECK(code_of(begun("resources/list")) == -32601);
    CHECK(result_of(begun("ping")).empty());
}

TEST_CASE("every tool has sound schemas, and every schema refuses what it does not know") {
    const auto tools = result_of(begun("tools/list")).at("tools").as_array();
    CHECK(tools.size() == 9);
    for (const Tool& tool : catalog()) {
        CAPTURE(tool.name);
        CHECK(api::check_schema(tool.input, {}));
        CHECK(api::check_schema(tool.output, {}));
        CHECK(tool.input.at("additionalProperties") == false);
        CHECK_FALSE(tool.description.empty());
        CHECK(
            trouble_in(called(tool.name, {{"nonsense", 1}})).find("nonsense") != std::string::npos);
    }
}

TEST_CASE("a tool is a request, and its answer is structured") {
    auto exchange = called("progress", {{"task", "TASK 9"}, {"token", 4}, {"percent", 40}});
    REQUIRE(exchange.wants());
    CHECK(exchange.wants()->method == "POST");
    CHECK(exchange.wants()->path == "/api/v1/tasks/TASK%209/progress");
    CHECK(*exchange.wants()->body == json::object{{"token", 4}, {"percent", 40}});
    exchange.answered({200, task(4)});
    const auto result = result_of(exchange);
    CHECK(result.at("isError") == false);
    CHECK(result.at("structuredContent").at("task").at("ref") == "TASK-1");
    CHECK(
        parse_json(result.at("content").at(0).at("text").as_string()).value() ==
        result.at("structuredContent"));
}

TEST_CASE("an inbox asks who I am first, unless a channel is named") {
    auto exchange = called("inbox", {{"after", "m1"}});
    CHECK(exchange.wants()->path == "/api/v1/me");
    exchange.answered({200, json::object{{"id", "BEE-1"}}});
    CHECK(exchange.wants()->path == "/api/v1/channels/bee%3ABEE-1/messages?limit=20&after=m1");
    exchange.answered({200, json::object{{"items", json::array{json::object{}}}}});
    CHECK(result_of(exchange).at("structuredContent").at("messages").as_array().size() == 1);
    CHECK(
        called("inbox", {{"channel", "general"}, {"limit", 5}}).wants()->path ==
        "/api/v1/channels/general/messages?limit=5");
}

TEST_CASE("a refusal says what to do next") {
    auto lost = called("complete", {{"task", "TASK-1"}, {"token", 1}});
    lost.answered({409, problem("stale-lease", "the lease is over")});
    CHECK(
        trouble_in(lost) ==
        "the lease is over. You no longer hold this task: stop working on it and claim the next "
        "one. (stale-lease)");
    auto away = called("ready");
    away.answered({0, json::value("connection refused")});
    CHECK(trouble_in(away).find("connection refused") != std::string::npos);
    auto denied = called("send", {{"channel", "general"}, {"text", "x"}});
    denied.answered({403, problem("forbidden", "no")});
    CHECK(trouble_in(denied).find("ask a person") != std::string::npos);
    CHECK(code_of(called("no_such_tool")) == -32602);
}

TEST_CASE("people are asked in a channel, or for a decision where the hive has approvals") {
    auto question = called("ask", {{"question", "May I?"}, {"task", "TASK-1"}});
    CHECK(question.wants()->path == "/api/v1/channels/task%3ATASK-1/messages");
    CHECK(question.wants()->body->at("type") == "request");
    auto decision =
        called("ask", {{"question", "Deploy?"}, {"decision", true}, {"from", {"alice"}}});
    CHECK(decision.wants()->path == "/api/v1/approvals");
    CHECK(*decision.wants()->body == json::object{{"subject", "Deploy?"}, {"people", {"alice"}}});
    auto without = decision;
    decision.answered({201, json::object{{"id", "a1"}}});
    CHECK(result_of(decision).at("structuredContent").at("approval").at("id") == "a1");
    without.answered({404, problem("not-found", "there is nothing at this path")});
    CHECK(trouble_in(without).find("Ask without `decision`") != std::string::npos);
    auto unknown = called("ask", {{"question", "x"}, {"decision", true}, {"task", "NONE"}});
    unknown.answered({404, problem("no-such-task", "there is no task 'NONE'")});
    CHECK(trouble_in(unknown).find("there is no task 'NONE'") == 0);
    auto list = called("approvals", {{"state", "open"}});
    CHECK(list.wants()->path == "/api/v1/approvals?limit=20&state=open");
    list.answered({200, json::object{{"items", json::array{}}}});
    CHECK(result_of(list).at("structuredContent").at("approvals").as_array().empty());
}

TEST_CASE("a claim that nobody waits for any more is given back") {
    auto exchange = called("claim", {{"wait", "30s"}});
    CHECK(exchange.wants()->path == "/api/v1/tasks/claim-next");
    exchange.cancel();
    exchange.answered({200, json::object{{"items", json::array{task(7)}}}});
    REQUIRE(exchange.wants());
    CHECK(exchange.wants()->path == "/api/v1/tasks/t1/release");
    CHECK(exchange.wants()->body->at("token") == 7);
    exchange.answered({200, json::object{}});
    CHECK_FALSE(exchange.wants());
    CHECK(exchange.answer().empty());
    auto nothing = called("claim");
    nothing.cancel();
    nothing.answered({200, json::object{{"items", json::array{}}}});
    CHECK_FALSE(nothing.wants());
}

TEST_CASE("only a request under way can be given up, and only in its own session") {
    Cancellations all;
    {
        const Cancellations::UnderWay one{all, "s1", 1};
        const Cancellations::UnderWay other{all, "s2", 1};
        all.give_up("s1", 1);
        all.give_up("s1", 2);
        CHECK(one.given_up());
        CHECK_FALSE(other.given_up());
    }
    const Cancellations::UnderWay again{all, "s1", 1};
    CHECK_FALSE(again.given_up());
}
