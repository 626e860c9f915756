#include "redis/connection.hpp"
#include "redis/list_reader.hpp"
#include "redis/list_writer.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

redis::Server over_tls(const RedisServer& server) {
    return {
        .host = "localhost",
        .port = server.tls_port(),
        .tls = true,
        .ca_file = server.certificates().ca.string()};
}

std::string refusal(const redis::Server& server) {
    const auto connection = redis::Connection::open(server);
    return connection ? std::string{} : connection.error().detail;
}

} // namespace

TEST_CASE("a server that speaks TLS is believed if its authority and its name are right") {
    const RedisServer server{RedisServer::WithTls{}};
    auto connection = redis::Connection::open(over_tls(server));
    REQUIRE_MESSAGE(connection, (connection ? "" : connection.error().detail));
    const std::string large(std::size_t{3} << 20U, 'x'); // many records, both ways
    REQUIRE((*connection)->run({"SET", "key", large}));
    CHECK((*connection)->run({"GET", "key"}).value().text == large);
    CHECK(server.ask({"STRLEN", "key"}) == std::to_string(large.size()));

    auto wrong = over_tls(server);
    wrong.ca_file = server.certificates().other_ca.string();
    CHECK(refusal(wrong).find("its certificate is not trusted") != std::string::npos);
    wrong = over_tls(server);
    wrong.host = "127.0.0.1"; // the certificate is for another name
    CHECK(refusal(wrong).find("its certificate is not trusted") != std::string::npos);
    wrong.verify = false;
    CHECK(refusal(wrong).empty());
    wrong = over_tls(server);
    wrong.ca_file = "/nowhere/ca.pem";
    CHECK(refusal(wrong).find("/nowhere/ca.pem") != std::string::npos);
}

TEST_CASE("a server that speaks no TLS is refused in time and with a reason") {
    const RedisServer server;
    const redis::Server wrong{
        .host = "localhost", .port = server.port(), .tls = true, .within = 5s};
    CHECK(refusal(wrong).find("TLS handshake") != std::string::npos);
}

TEST_CASE("what is written over TLS is there, and read over TLS") {
    const RedisServer server{RedisServer::WithTls{}};
    {
        redis::ListWriter writer{{.server = over_tls(server)}};
        for (int i = 0; i < 100; ++i) {
            redis::Push push{"list", std::to_string(i)};
            while (!writer.offer(push)) {
            }
        }
        const auto deadline = std::chrono::steady_clock::now() + 30s;
        while (writer.confirmed() < 100 && std::chrono::steady_clock::now() < deadline) {
        }
        CHECK(writer.confirmed() == 100);
    }
    std::mutex mutex;
    std::condition_variable rung;
    redis::ListReader reader{
        {.server = over_tls(server), .sources = {{"list"}}, .owner = "test", .ring = [&] {
             rung.notify_all();
         }}};
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    int taken = 0;
    while (taken < 100 && std::chrono::steady_clock::now() < deadline) {
        if (const auto element = reader.next()) {
            CHECK(element->text == std::to_string(taken++));
            reader.done(element->token);
            continue;
        }
        std::unique_lock lock{mutex};
        rung.wait_for(lock, 10ms);
    }
    CHECK(taken == 100);
}
