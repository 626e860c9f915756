#include "tests/support/places.hpp"
#include "tests/system/call_scene.hpp"
#include "tests/system/program_lines.hpp"
#include "tests/system/web_certificates.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::test;
using call::Done;

namespace {

void check_answers(Caller& caller, const std::shared_ptr<const call::Target>& where) {
    const auto get = [&](const std::string& path, const std::string& method = "GET") {
        Done done = caller.make(http_call(where, {.method = method, .path = path}));
        CAPTURE(path);
        CAPTURE(done.failure.detail);
        CHECK(done.ok());
        return done;
    };
    const Done chunked = get("/chunked");
    CHECK(chunked.body == "one.two.");
    CHECK(chunked.headers.find("x-parts") == "2");
    CHECK(get("/empty").status == 204);
    CHECK(get("/continue").body == "went on");
    CHECK(get("/big").body_bytes == 1U << 20U);
    const Done head = get("/big", "HEAD");
    CHECK(head.body.empty());
    CHECK(head.reused);
    CHECK(get("/close").body == "last");
    CHECK_FALSE(get("/after").reused);
}

} // namespace

TEST_CASE("the server of Node understands us and is understood, over HTTP and HTTPS") {
    const WebCertificate certificate{{}};
    ProgramLines node{fmt::format(
        "exec timeout 120 node '{}/tests/system/call_node_server.cjs' '{}' '{}'",
        hive::tests::in_source(""), certificate.file(), certificate.key_file())};
    const auto plain = target("http://localhost:" + node.next());
    auto tls = call::TlsClient::load({.ca_file = certificate.file()});
    REQUIRE(tls);
    const auto secure = target("https://localhost:" + node.next(), *tls);
    Caller caller{{.concurrency = 1}};
    check_answers(caller, plain);
    check_answers(caller, secure);
    const Ask post{.method = "POST", .path = "/p?q=1", .body = "body"};
    CHECK(caller.make(http_call(plain, post)).body == "POST /p?q=1 plain body");
    CHECK(caller.make(http_call(secure, post)).body == "POST /p?q=1 http/1.1 body");
    CHECK(caller.make(http_call(plain, {.path = "/quit"})).body == "bye");
}
