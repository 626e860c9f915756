#include "tests/system/rabbitmq_scene.hpp"
#include "tests/system/rabbitmq_tls_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::tests;

namespace {

std::string trusting(const RabbitServer& server) {
    return "cacertfile=" + server.certificates().ca.string();
}

void check_traffic(const std::string& url) {
    Client client{url};
    const auto queue = unique_name("tls");
    client.declare({.queues = {{.name = queue, .exclusive = true}}});
    client.send(queue, {"over tls"});
    const auto receiver = open_receiver(client, {.queue = queue});
    CHECK(receive(*receiver, 1)[0].item.payload() == "over tls");
}

} // namespace

TEST_CASE("items travel over TLS to a server whose CA is trusted and whose name fits") {
    check_traffic(shared_server().tls_url("localhost", trusting(shared_server())));
}

TEST_CASE("the name to expect can be given apart from the address") {
    const auto& server = shared_server();
    check_traffic(
        server.tls_url("127.0.0.1", trusting(server) + "&server_name_indication=localhost"));
    const auto error =
        refused(server.tls_url("localhost", trusting(server) + "&server_name_indication=other"));
    CHECK_MESSAGE(error.detail.find("not for 'other'") != std::string::npos, error.detail);
}

TEST_CASE("verification can be turned off by name") {
    check_traffic(shared_server().tls_url("127.0.0.1", "verify=verify_none"));
}

TEST_CASE("a server that wants a client certificate gets it") {
    const TlsListener strict{{.require_client_certificate = true}};
    const auto& made = shared_server().certificates();
    check_traffic(strict.url(
        fmt::format("certfile={}&keyfile={}", made.client.string(), made.client_key.string())));
}
