// What people read when no TLS connection comes about: one sentence that says what to do.
#include "tests/system/rabbitmq_scene.hpp"
#include "tests/system/rabbitmq_tls_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace hive;
using namespace hive::tests;

namespace {

void check_sentence(const Error& error, Errc code, std::initializer_list<std::string> words) {
    CHECK(error.code == code);
    for (const auto& word : words) {
        CHECK_MESSAGE(error.detail.find(word) != std::string::npos, error.detail);
    }
    CHECK(std::ranges::count(error.detail, '\n') == 0);
    CHECK_MESSAGE(error.detail.find("sesame") == std::string::npos, error.detail);
}

std::string showing(const KeyPair& pair) {
    return fmt::format("certfile={}&keyfile={}", pair.certificate.string(), pair.key.string());
}

std::string trusting() {
    return "cacertfile=" + shared_server().certificates().ca.string();
}

} // namespace

TEST_CASE("an unknown CA: trust it by name") {
    for (const auto& query :
         {std::string{}, "cacertfile=" + shared_server().certificates().other_ca.string()}) {
        const auto error = refused(shared_server().tls_url("localhost", query));
        check_sentence(error, Errc::denied, {"localhost:", "CA that is not trusted", "cacertfile"});
    }
}

TEST_CASE("another host's certificate: connect by its name or say which one to expect") {
    const auto error = refused(shared_server().tls_url("127.0.0.1", trusting()));
    check_sentence(error, Errc::denied, {"is not for '127.0.0.1'", "server_name_indication"});
}

TEST_CASE("an expired certificate: when it expired, and who must renew it") {
    Certificates certificates;
    const TlsListener listener{{.identity = certificates.issue("localhost", -1)}};
    const auto error = refused(listener.url(""));
    check_sentence(error, Errc::denied, {"expired on 20", "UTC", "renew it on the broker"});
}

TEST_CASE("a client certificate that is missing, of an unknown CA, or expired") {
    Certificates certificates;
    const TlsListener strict{{.require_client_certificate = true}};
    // Again and again, because the server may hang up before or after we begin to log in.
    for (int round = 0; round < 30; ++round) {
        check_sentence(
            refused(strict.url("")), Errc::denied,
            {"asks for a client certificate", "set certfile and keyfile"});
    }

    const auto foreign = certificates.issue_by_stranger("client");
    check_sentence(
        refused(strict.url(showing(foreign))), Errc::denied,
        {"does not know the CA", foreign.certificate.string(), "certfile"});

    const auto old = certificates.issue("client", -1);
    check_sentence(
        refused(strict.url(showing(old))), Errc::denied,
        {"expired", old.certificate.string(), "renew it"});
}

TEST_CASE("a port without TLS: use the other port or the other scheme") {
    const auto error =
        refused(fmt::format("amqps://u:sesame@localhost:{}/", shared_server().port()));
    check_sentence(error, Errc::unavailable, {"does not speak TLS", "5671", "amqp://"});
}

TEST_CASE("a TLS port where nothing listens, and a host that does not exist") {
    check_sentence(
        refused("amqps://u:sesame@127.0.0.1:1/"), Errc::unavailable,
        {"nothing listens at 127.0.0.1:1", "start RabbitMQ"});
    check_sentence(
        refused("amqps://u:sesame@no-such-host.invalid/"), Errc::unavailable,
        {"no-such-host.invalid", "cannot be resolved"});
}

TEST_CASE("a CA file that is not there, or is none") {
    check_sentence(
        refused(shared_server().tls_url("localhost", "cacertfile=/nonexistent.pem")), Errc::invalid,
        {"/nonexistent.pem", "cacertfile", "No such file", "correct the path"});

    Certificates certificates;
    const auto text = certificates.write("notes.txt", "not a certificate\n");
    check_sentence(
        refused(shared_server().tls_url("localhost", "cacertfile=" + text.string())), Errc::invalid,
        {text.string(), "no CA certificate", "PEM"});
}

TEST_CASE("client files that are not there, do not fit or are locked") {
    Certificates certificates;
    const auto one = certificates.issue("client");
    const auto other = certificates.issue("client");
    const auto attempt = [](const KeyPair& pair) {
        return refused(shared_server().tls_url("localhost", trusting() + "&" + showing(pair)));
    };
    check_sentence(
        attempt({"/nonexistent.pem", one.key}), Errc::invalid,
        {"/nonexistent.pem", "certfile", "No such file"});
    check_sentence(
        attempt({one.certificate, "/nonexistent.key"}), Errc::invalid,
        {"/nonexistent.key", "keyfile", "No such file"});
    check_sentence(
        attempt({one.certificate, other.key}), Errc::invalid,
        {other.key.string(), "does not belong to", one.certificate.string()});
    check_sentence(
        attempt({one.certificate, certificates.lock(one.key)}), Errc::invalid,
        {"locked.key", "passphrase"});
    check_sentence(
        attempt({one.certificate, certificates.write("empty.key", "")}), Errc::invalid,
        {"empty.key", "PEM"});
}
