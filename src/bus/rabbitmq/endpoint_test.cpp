#include "bus/rabbitmq/endpoint.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::bus::rabbitmq;
using namespace std::chrono_literals;

namespace {

Endpoint parsed(std::string_view url) {
    auto endpoint = parse_endpoint(url);
    REQUIRE_MESSAGE(endpoint.has_value(), url);
    return *endpoint;
}

} // namespace

TEST_CASE("a bare URL means guest on the default port and virtual host") {
    const auto endpoint = parsed("amqp://localhost");
    CHECK(endpoint.host == "localhost");
    CHECK(endpoint.port == 5672);
    CHECK(endpoint.vhost == "/");
    CHECK(endpoint.user == "guest");
    CHECK(endpoint.password.reveal() == "guest");
    CHECK(!endpoint.tls);
    CHECK(parsed("amqp://localhost/").vhost == "/");
    CHECK(parsed("amqps://localhost").port == 5671);
}

TEST_CASE("every part of a URL is read and percent-decoded") {
    const auto endpoint =
        parsed("amqps://us%65r:p%40ss%3a%2f@rabbit.example:5999/my%2fhost?heartbeat=30"
               "&connection_timeout=1500&cacertfile=%2Fetc/ca.pem&certfile=c.pem&keyfile=k.pem"
               "&verify=verify_none&server_name_indication=mq.example");
    CHECK(endpoint.user == "user");
    CHECK(endpoint.password.reveal() == "p@ss:/");
    CHECK(endpoint.where() == "rabbit.example:5999");
    CHECK(endpoint.vhost == "my/host");
    CHECK(endpoint.heartbeat == 30s);
    CHECK(endpoint.connect_timeout == 1500ms);
    REQUIRE(endpoint.tls);
    CHECK(endpoint.tls->ca_file == "/etc/ca.pem");
    CHECK(endpoint.tls->cert_file == "c.pem");
    CHECK(endpoint.tls->key_file == "k.pem");
    CHECK(!endpoint.tls->verify);
    CHECK(endpoint.tls->server_name == "mq.example");
}

TEST_CASE("the host is checked against its certificate unless the URL says otherwise") {
    CHECK(parsed("amqps://localhost").tls->verify);
}

TEST_CASE("an IPv6 host is written in brackets") {
    const auto endpoint = parsed("amqp://[::1]:5673/v");
    CHECK(endpoint.host == "::1");
    CHECK(endpoint.port == 5673);
    CHECK(endpoint.where() == "[::1]:5673");
    CHECK(parsed("amqp://[fe80::1]").port == 5672);
}

TEST_CASE("what is wrong in a URL is named and the password is not") {
    const std::pair<const char*, const char*> cases[] = {
        {"", "amqp://"},
        {"http://host", "amqp://"},
        {"amqp://", "host name"},
        {"amqp://u:topsecret@", "host name"},
        {"amqp://:topsecret@host", "user name"},
        {"amqp://u:topsecret%zz@host", "password"},
        {"amqp://u:topsecret%00@host", "zero byte"},
        {"amqp://u:topsecret%4@host", "password"},
        {"amqp://u:topsecret@x@host", "%40"},
        {"amqp://u:topsecret@ho st", "host name"},
        {"amqp://u:topsecret@host:0", "port"},
        {"amqp://u:topsecret@host:65536", "port"},
        {"amqp://u:topsecret@host:12x", "port"},
        {"amqp://u:topsecret@host:", "port"},
        {"amqp://u:topsecret@[::1", "]"},
        {"amqp://u:topsecret@[zz]", "IPv6"},
        {"amqp://u:topsecret@[::1]5672", "port"},
        {"amqp://u:topsecret@host/a/b", "%2f"},
        {"amqp://u:topsecret@host/v?heartbeat=0", "heartbeat"},
        {"amqp://u:topsecret@host/v?heartbeat=", "heartbeat"},
        {"amqp://u:topsecret@host/v?hartbeat=1", "hartbeat"},
        {"amqp://u:topsecret@host/v?cacertfile=x", "amqps://"},
        {"amqps://u:topsecret@host/v?verify=maybe", "verify_peer"},
        {"amqps://u:topsecret@host/v?certfile=x", "keyfile"},
        {"amqp://u:topsecret@host/v#frag", "%23"},
    };
    for (const auto& [url, hint] : cases) {
        const auto endpoint = parse_endpoint(url);
        REQUIRE_MESSAGE(!endpoint.has_value(), url);
        CHECK(endpoint.error().code == Errc::invalid);
        CHECK_MESSAGE(
            endpoint.error().detail.find(hint) != std::string::npos,
            url << ": " << endpoint.error().detail);
        CHECK(endpoint.error().detail.find("topsecret") == std::string::npos);
    }
    CHECK(!parse_endpoint("amqp://" + std::string(5000, 'x')));
    CHECK(!parse_endpoint("amqp://h/" + std::string(256, 'v')));
}
