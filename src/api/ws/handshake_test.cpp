#include "api/ws/handshake.hpp"

#include <doctest/doctest.h>

using namespace hive;

namespace {

// The example of RFC 6455 §1.2.
struct Upgrade : http::Request {
    Upgrade() {
        method = http::Method::get;
        headers = {
            {"Host", "h"},
            {"Upgrade", "WebSocket"},
            {"Connection", "keep-alive, Upgrade"},
            {"Sec-WebSocket-Version", "13"},
            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
    }
};

unsigned refusal(const http::Request& request) {
    const auto accepted = ws::accept_upgrade(request);
    return accepted ? 0 : accepted.error().status;
}

} // namespace

TEST_CASE("the handshake of the RFC is answered as in the RFC") {
    const auto accepted = ws::accept_upgrade(Upgrade{});
    REQUIRE(accepted);
    CHECK(accepted->status == 101);
    CHECK(accepted->headers.find("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    CHECK_FALSE(accepted->headers.find("Sec-WebSocket-Extensions"));
}

TEST_CASE("a subprotocol is chosen from what both speak") {
    Upgrade request;
    request.headers.push_back({"Sec-WebSocket-Protocol", "other, hive.v1"});
    CHECK(
        ws::accept_upgrade(request, {{"hive.v2", "hive.v1"}})
            ->headers.find("Sec-WebSocket-Protocol") == "hive.v1");
    CHECK_FALSE(ws::accept_upgrade(request)->headers.find("Sec-WebSocket-Protocol"));
}

TEST_CASE("what is not an upgrade, or not ours, is refused") {
    Upgrade plain;
    plain.headers.erase(plain.headers.begin() + 1);
    CHECK(refusal(plain) == 426);
    Upgrade version;
    version.headers[3].value = "8";
    CHECK(refusal(version) == 426);
    Upgrade key;
    key.headers[4].value = "short";
    CHECK(refusal(key) == 400);
    Upgrade post;
    post.method = http::Method::post;
    CHECK(refusal(post) == 400);
    Upgrade old;
    old.version = 10;
    CHECK(refusal(old) == 400);
    Upgrade twice;
    twice.headers.push_back({"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="});
    CHECK(refusal(twice) == 400);
}
