#include "tests/system/rabbitmq_scene.hpp"

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

TEST_CASE("a server of an untrusted CA is refused with the remedy") {
    const auto& server = shared_server();
    for (const auto& query :
         {std::string{}, "cacertfile=" + server.certificates().other_ca.string()}) {
        const auto error = refused(server.tls_url("localhost", query));
        CHECK(error.code == Errc::denied);
        CHECK_MESSAGE(error.detail.find("cacertfile") != std::string::npos, error.detail);
    }
}

TEST_CASE("a server whose certificate is for another name is refused with both remedies") {
    const auto& server = shared_server();
    const auto error = refused(server.tls_url("127.0.0.1", trusting(server)));
    CHECK(error.code == Errc::denied);
    CHECK_MESSAGE(error.detail.find("not for '127.0.0.1'") != std::string::npos, error.detail);
    CHECK(error.detail.find("server_name_indication") != std::string::npos);
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

TEST_CASE("a file that is no certificate is named") {
    const auto error = refused(shared_server().tls_url("localhost", "cacertfile=/nonexistent.pem"));
    CHECK(error.code == Errc::invalid);
    CHECK(error.detail.find("/nonexistent.pem") != std::string::npos);
}

TEST_CASE("a server that wants a client certificate gets it, or says that it is missing") {
    const RabbitServer strict{{.tls = true, .require_client_certificate = true}};
    const auto& made = strict.certificates();
    const auto with = fmt::format(
        "{}&certfile={}&keyfile={}", trusting(strict), made.client.string(),
        made.client_key.string());
    check_traffic(strict.tls_url("localhost", with));

    const auto error = refused(strict.tls_url("localhost", trusting(strict)));
    CHECK_MESSAGE(error.detail.find("client certificate") != std::string::npos, error.detail);
    CHECK(error.detail.find("certfile") != std::string::npos);
}

TEST_CASE("TLS addressed to a plain port is told instead of waiting for ever") {
    const auto error = refused(fmt::format(
        "amqps://guest:guest@localhost:{}/?connection_timeout=2000", shared_server().port()));
    CHECK_MESSAGE(error.detail.find("TLS") != std::string::npos, error.detail);
}
