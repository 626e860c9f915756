#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"
#include "tests/system/web_certificates.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::Done;
using call::ErrorClass;

namespace {

std::shared_ptr<const call::TlsClient> client(call::TlsOptions options) {
    auto loaded = call::TlsClient::load(std::move(options));
    REQUIRE(loaded);
    return *loaded;
}

std::shared_ptr<SSL_CTX> tls_of(const WebCertificate& certificate) {
    return server_tls(certificate.file(), certificate.key_file());
}

// Shakes hands and answers with what it knows of the client.
void greet(Peer& peer) {
    if (!peer.shake_hands()) return;
    while (!peer.read_request().empty())
        if (!peer.send(ok(fmt::format("{} {}", peer.server_name(), peer.resumed())))) return;
}

Done ask(const ScriptedServer& server, const call::TlsOptions& options) {
    Caller caller;
    return caller.make(http_call(target(server.url("https", "localhost"), client(options))));
}

} // namespace

TEST_CASE("a server that proves its name is called, by that name") {
    const WebCertificate certificate{{}};
    ScriptedServer server{greet, tls_of(certificate)};
    const Done done = ask(server, {.ca_file = certificate.file()});
    CAPTURE(done.failure.detail);
    REQUIRE(done.ok());
    CHECK(done.body == "localhost false");
    CHECK(done.at.connected > done.at.begin);
}

TEST_CASE("a certificate that proves nothing is refused, unless nobody looks") {
    const WebCertificate good{{}};
    const WebCertificate other_name{{.name = "elsewhere"}};
    const WebCertificate over{{.valid_for = -1h}};
    const auto refused = [](const WebCertificate& certificate, const std::string& authority) {
        ScriptedServer server{greet, tls_of(certificate)};
        const Done done = ask(server, {.ca_file = authority});
        CHECK(name_of(done.failure.error) == "tls-certificate");
        CHECK(ask(server, {.verify = false}).ok());
        return done.failure.detail;
    };
    const auto says = [](const std::string& detail, std::string_view words) {
        CAPTURE(detail);
        CHECK(detail.find(words) != std::string::npos);
    };
    says(refused(other_name, other_name.file()), "hostname mismatch");
    says(refused(over, over.file()), "expired");
    says(refused(good, other_name.file()), "self-signed");
    says(refused(good, ""), "self-signed");
}

TEST_CASE("the name to prove and to ask for may be another than the host") {
    const WebCertificate certificate{{.name = "sut.example"}};
    ScriptedServer server{greet, tls_of(certificate)};
    const Done done = ask(server, {.ca_file = certificate.file(), .server_name = "sut.example"});
    REQUIRE(done.ok());
    CHECK(done.body.starts_with("sut.example "));
}

TEST_CASE("a server that wants to know who calls gets our certificate") {
    const WebCertificate server_side{{}};
    const WebCertificate client_side{{.name = "bee"}};
    ScriptedServer server{
        greet, server_tls(server_side.file(), server_side.key_file(), client_side.file())};
    const Done known =
        ask(server, {.ca_file = server_side.file(),
                     .certificate_file = client_side.file(),
                     .key_file = client_side.key_file()});
    CAPTURE(known.failure.detail);
    CHECK(known.ok());
    const Done unknown = ask(server, {.ca_file = server_side.file()});
    CAPTURE(unknown.failure.detail);
    CHECK(name_of(unknown.failure.error) == "tls-certificate");
    const Done stranger =
        ask(server, {.ca_file = server_side.file(),
                     .certificate_file = server_side.file(),
                     .key_file = server_side.key_file()});
    CHECK(name_of(stranger.failure.error) == "tls-certificate");
}

TEST_CASE("a peer that does not speak TLS fails the handshake") {
    ScriptedServer plain{[](Peer& peer) {
        static_cast<void>(peer.read(1));
        peer.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    }};
    CHECK(name_of(ask(plain, {.verify = false}).failure.error) == "tls-handshake");
    ScriptedServer closing{[](Peer& peer) {
        static_cast<void>(peer.read(1));
        peer.close();
    }};
    const Done closed = ask(closing, {.verify = false});
    // Bytes that it had not read make a reset of its close.
    CHECK(
        (closed.failure.error == ErrorClass::tls_handshake ||
         closed.failure.error == ErrorClass::reset));
}

TEST_CASE("a handshake that does not end runs into the connect timeout") {
    ScriptedServer silent{[](Peer& peer) { peer.wait_for_end(); }};
    Caller caller{{.timeouts = {.connect = 100ms}}};
    const Done done =
        caller.make(http_call(target(silent.url("https"), client({.verify = false}))));
    CHECK(name_of(done.failure.error) == "connect-timeout");
}

TEST_CASE("the next connection goes on with the session of the last") {
    const WebCertificate certificate{{}};
    ScriptedServer server{greet, tls_of(certificate)};
    Caller caller{{.concurrency = 1, .mode = call::ConnectionMode::none}};
    const auto where =
        target(server.url("https", "localhost"), client({.ca_file = certificate.file()}));
    const Done first = caller.make(http_call(where));
    REQUIRE(first.ok());
    CHECK_FALSE(first.tls_resumed);
    for (int i = 0; i < 3; ++i) {
        const Done next = caller.make(http_call(where));
        REQUIRE(next.ok());
        CHECK(next.tls_resumed);
        CHECK(next.body == "localhost true");
    }
}

TEST_CASE("connections over TLS are kept, and bodies of any length pass") {
    const WebCertificate certificate{{}};
    ScriptedServer server{
        [](Peer& peer) {
            if (!peer.shake_hands()) return;
            for (std::string request; !(request = peer.read_request()).empty();)
                if (!peer.send(ok(request))) return;
        },
        tls_of(certificate)};
    Caller caller{{.concurrency = 1, .kept_body_bytes = 4'000'000}};
    const auto where =
        target(server.url("https", "localhost"), client({.ca_file = certificate.file()}));
    for (const std::size_t size : {0UL, 1UL, 20'000UL, 3'000'000UL}) {
        const Done done =
            caller.make(http_call(where, {.method = "PUT", .body = std::string(size, 'x')}));
        CAPTURE(done.failure.detail);
        REQUIRE(done.ok());
        CHECK(done.body == done.call.request);
        CHECK(done.reused == (size > 0));
        CHECK(done.attempts == 1);
    }
    CHECK(server.connections() == 1);
}

TEST_CASE("a body without a length needs an honest end of the TLS session") {
    const WebCertificate certificate{{}};
    for (const bool honest : {true, false}) {
        ScriptedServer server{
            [&](Peer& peer) {
                if (!peer.shake_hands() || peer.read_request().empty()) return;
                peer.send("HTTP/1.1 200 OK\r\n\r\nsome");
                if (honest) peer.close();
            },
            tls_of(certificate)};
        const Done done = ask(server, {.ca_file = certificate.file()});
        CAPTURE(done.failure.detail);
        CHECK(name_of(done.failure.error) == (honest ? "none" : "closed-early"));
    }
}

TEST_CASE("TLS options that cannot work are refused with the file's name") {
    const WebCertificate one{{}};
    const WebCertificate other{{}};
    const auto detail = [](call::TlsOptions options) {
        const auto loaded = call::TlsClient::load(std::move(options));
        REQUIRE_FALSE(loaded);
        return loaded.error().detail;
    };
    CHECK(detail({.ca_file = "/no/such"}).find("/no/such") != std::string::npos);
    CHECK(detail({.certificate_file = one.file()}).find("needs its key") != std::string::npos);
    CHECK(
        detail({.certificate_file = one.file(), .key_file = other.key_file()}).find("key") !=
        std::string::npos);
    CHECK_FALSE(call::Target::make({.scheme = call::Scheme::https, .host = "h", .port = 1}));
}
