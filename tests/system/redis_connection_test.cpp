#include "redis/connection.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::redis;

TEST_CASE("commands go out together and their replies come back in order") {
    const tests::RedisServer server;
    auto connection = Connection::open({.host = "127.0.0.1", .port = server.port()}).value();
    const std::string bytes{"\0\r\n\xff", 4};
    const std::vector<Command> commands{
        {"RPUSH", "l", bytes}, {"INCR", "l"}, {"LRANGE", "l", "0", "-1"}, {"GET", "nothing"}};
    const auto replies = connection->run(commands).value();
    REQUIRE(replies.size() == 4);
    CHECK(replies[0].integer == 1);
    CHECK(replies[1].is(Reply::Kind::error));
    CHECK(replies[1].text.starts_with("WRONGTYPE"));
    REQUIRE(replies[2].list.size() == 1);
    CHECK(replies[2].list[0].text == bytes);
    CHECK(replies[3].is(Reply::Kind::nil));
}

TEST_CASE("a wrong password is refused, and neither is said") {
    const tests::RedisServer server{"right-horse"};
    const auto refused =
        Connection::open({.port = server.port(), .password = Secret{"wrong-horse"}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::denied);
    CHECK(refused.error().detail.find("horse") == std::string::npos);
    CHECK(Connection::open({.port = server.port(), .password = Secret{"right-horse"}}));
    CHECK(Connection::open(
        {.port = server.port(), .username = "default", .password = Secret{"right-horse"}}));
    const auto without = Connection::open({.port = server.port()});
    CHECK_FALSE(without);
}

TEST_CASE("a server that is not there, silent or killed is an error with its address") {
    tests::RedisServer server;
    auto connection = Connection::open({.port = server.port()}).value();
    server.kill();
    const auto broken = connection->run(Command{"PING"});
    REQUIRE_FALSE(broken);
    CHECK(broken.error().code == Errc::unavailable);
    const auto away = Connection::open({.port = server.port()});
    REQUIRE_FALSE(away);
    CHECK(away.error().detail.find(std::to_string(server.port())) != std::string::npos);
    server.start();
    auto slow =
        Connection::open({.port = server.port(), .within = std::chrono::milliseconds{200}}).value();
    const auto late = slow->run(Command{"BLPOP", "nothing", "30"});
    REQUIRE_FALSE(late);
    CHECK(late.error().code == Errc::timeout);
    CHECK_FALSE(Connection::open({.port = server.port(), .tls = true}));
}
