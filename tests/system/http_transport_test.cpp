#include "tests/system/http_transport.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view tail = " HTTP/1.1\r\nHost: hive\r\n\r\n";

std::string get(std::string_view path) {
    return "GET " + std::string{path} + std::string{tail};
}

} // namespace

TEST_CASE("one connection serves request after request") {
    TransportUnderTest under;
    Client client = under.connect();
    for (int i = 0; i < 100; ++i) {
        const std::string path = "/n" + std::to_string(i);
        CHECK(client.get(path).body == path);
    }
    CHECK(under.server->traffic().accepted == 1);
}

TEST_CASE("pipelined requests are answered in their order, slow ones included") {
    TransportUnderTest under;
    Client client = under.connect();
    client.send(get("/a") + get("/slow") + get("/b") + get("/big") + get("/c"));
    CHECK(client.receive()->body == "/a");
    under.application.wait_for_slow(1);
    under.application.release();
    CHECK(client.receive()->body == "slow");
    CHECK(client.receive()->body == "/b");
    CHECK(client.receive()->body.size() == std::size_t{1} << 20U);
    CHECK(client.receive()->body == "/c");
}

TEST_CASE("a request may come byte by byte") {
    TransportUnderTest under;
    Client client = under.connect();
    const std::string text =
        "POST /echo HTTP/1.1\r\nHost: hive\r\nTransfer-Encoding: chunked\r\n\r\n"
        "5\r\nhello\r\n0\r\n\r\n";
    for (const char c : text) client.send({&c, 1});
    CHECK(client.receive()->body == "hello");
}

TEST_CASE("a large body travels both ways") {
    TransportUnderTest under;
    Client client = under.connect();
    std::string body(std::size_t{3} << 20U, 'x');
    for (std::size_t i = 0; i < body.size(); i += 997) body[i] = static_cast<char>('a' + i % 26);
    client.send(
        "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body);
    CHECK(client.receive()->body == body);
    CHECK(client.get("/next").body == "/next");
}

TEST_CASE("HEAD gets the head of GET, and the connection goes on") {
    TransportUnderTest under;
    Client client = under.connect();
    client.send("HEAD /abc HTTP/1.1\r\nHost: h\r\n\r\n");
    const auto answer = client.receive(true);
    CHECK(answer->headers.at("content-length") == "4");
    CHECK(client.get("/next").body == "/next");
}

TEST_CASE("a client that waits for 100 Continue gets it, unless the body is refused") {
    TransportUnderTest under;
    Client client = under.connect();
    client.send(
        "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    CHECK(client.receive_exactly(25) == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hello");
    CHECK(client.receive()->body == "hello");
    client.send(
        "POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
    CHECK(client.receive()->status == 413);
    CHECK(client.closed_by_server());
}

TEST_CASE("a client that closes its sending side still gets its answers") {
    TransportUnderTest under;
    Client client = under.connect();
    client.send(get("/one") + get("/slow"));
    client.end_sending();
    CHECK(client.receive()->body == "/one");
    under.application.wait_for_slow(1);
    under.application.release();
    CHECK(client.receive()->body == "slow");
    CHECK(client.closed_by_server());
    CHECK(eventually([&] { return under.server->traffic().open == 0; }));
}

TEST_CASE("a client that leaves in the middle of a request costs nothing further") {
    TransportUnderTest under;
    for (const std::string_view part :
         {"GET / HT", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc", ""}) {
        Client client = under.connect();
        client.send(part);
        client.end_sending();
        CHECK(client.closed_by_server());
    }
    CHECK(eventually([&] { return under.server->traffic().open == 0; }));
}

TEST_CASE("Connection: close and HTTP/1.0 end the connection after the answer") {
    TransportUnderTest under;
    for (const std::string_view text :
         {"GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"}) {
        Client client = under.connect();
        client.send(text);
        const auto answer = client.receive();
        CHECK(answer->body == "/a");
        CHECK(answer->headers.at("connection") == "close");
        CHECK(client.closed_by_server());
    }
}

TEST_CASE("an exception becomes a 500 and the connection stays usable") {
    TransportUnderTest under;
    Client client = under.connect();
    CHECK(client.get("/throw").status == 500);
    CHECK(client.get("/after").body == "/after");
}

TEST_CASE("smuggling attempts get 400 and a closed connection over a real socket") {
    TransportUnderTest under;
    for (const std::string_view headers :
         {"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX",
          "Content-Length: 0\r\nContent-Length: 5\r\n\r\nGET /",
          "X: 1\r\n Content-Length: 5\r\n\r\nGET /", "Content-Length: 5\nX: 1\r\n\r\nGET /"}) {
        CAPTURE(headers);
        Client client = under.connect();
        client.send("POST /echo HTTP/1.1\r\nHost: h\r\n" + std::string{headers});
        CHECK(client.receive()->status == 400);
        CHECK(client.closed_by_server());
    }
}

TEST_CASE("a unix socket serves like TCP, is private, and is removed at the end") {
    const std::string path = "/tmp/hive-http-" + std::to_string(::getpid()) + ".sock";
    {
        TransportUnderTest under{http::ServerOptions{.listen = {{.address = "unix:" + path}}}};
        Client client = Client::local(path);
        CHECK(client.get("/x").body == "/x");
    }
    CHECK(::access(path.c_str(), F_OK) != 0);
}

TEST_CASE("a thousand connections at once are all served") {
    TransportUnderTest under{http::ServerOptions{.listen = {}, .threads = 2}};
    std::vector<Client> clients;
    for (int i = 0; i < 1000; ++i) clients.push_back(under.connect());
    for (auto& client : clients) client.send(get("/hello"));
    for (auto& client : clients) CHECK(client.receive()->body == "/hello");
    CHECK(under.server->traffic().open == 1000);
    clients.clear();
    CHECK(eventually([&] { return under.server->traffic().open == 0; }));
}

TEST_CASE("an address in use is an error that names it") {
    TransportUnderTest under;
    EchoApplication other;
    const auto second = http::Server::start({.listen = {{.address = under.address()}}}, other);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::conflict);
    CHECK(second.error().detail.find(under.address()) != std::string::npos);
}
