#include "api/mcp/json_rpc.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::mcp;

TEST_CASE("requests, notifications and answers are told apart") {
    const auto request = parse_message(R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
    REQUIRE(request);
    CHECK(request->kind == Message::Kind::request);
    CHECK(request->id == 7);
    const auto note =
        parse_message(R"({"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":1}})");
    REQUIRE(note);
    CHECK(note->kind == Message::Kind::notification);
    CHECK(note->params.at("a") == 1);
    const auto answer = parse_message(R"({"jsonrpc":"2.0","id":"x","result":{}})");
    REQUIRE(answer);
    CHECK(answer->kind == Message::Kind::answer);
}

TEST_CASE("what is no message is refused, with its id where there is one") {
    const auto code = [](std::string_view text) {
        const auto read = parse_message(text);
        REQUIRE_MESSAGE(!read, text);
        CHECK_FALSE(read.error().message.empty());
        return read.error().code;
    };
    CHECK(code("") == RpcCode::parse_error);
    CHECK(code("{") == RpcCode::parse_error);
    CHECK(code("\xff\xfe") == RpcCode::parse_error);
    CHECK(code(std::string(2'000'000, ' ')) == RpcCode::parse_error);
    CHECK(code(std::string(100, '[')) == RpcCode::parse_error);
    for (const auto* bad :
         {"[]", "1", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", R"({"id":1,"method":"ping"})",
          R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":null,"method":"x"})",
          R"({"jsonrpc":"2.0","id":1.5,"method":"x"})", R"({"jsonrpc":"2.0","id":1,"method":2})",
          R"({"jsonrpc":"2.0","id":1,"method":"x","params":[1]})", R"({"jsonrpc":"2.0","id":1})",
          R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})"}) {
        CHECK_MESSAGE(code(bad) == RpcCode::invalid_request, bad);
    }
    const auto known = parse_message(R"({"jsonrpc":"2.0","id":9,"method":true})");
    CHECK(known.error().id == 9);
    CHECK(
        error_text(known.error()) ==
        R"({"jsonrpc":"2.0","id":9,"error":{"code":-32600,"message":"a method is a string of up to 128 bytes"}})");
}
