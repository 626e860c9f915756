#include "bus/rabbitmq/tls_errors.hpp"

#include <doctest/doctest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

using namespace hive;
using namespace hive::bus::rabbitmq;

namespace {

Endpoint endpoint() {
    return *parse_endpoint("amqps://u:sesame@broker.example/");
}

bool says(const Error& error, std::string_view words) {
    return error.detail.find(words) != std::string::npos;
}

Error ended_by(int ssl_reason) {
    return handshake_error(TlsReasons{{{ERR_LIB_SSL, ssl_reason}}}, "failed", endpoint());
}

} // namespace

TEST_CASE("a certificate from the future names its first day and the clock") {
    const auto error = unverified_error(
        {.reason = X509_V_ERR_CERT_NOT_YET_VALID, .from = "2031-01-01", .until = "2032-01-01"},
        endpoint());
    CHECK(error.code == Errc::denied);
    CHECK(says(error, "broker.example:5671 is not valid before 2031-01-01"));
    CHECK(says(error, "clock"));
}

TEST_CASE("what OpenSSL refuses for a reason of its own is told in its words") {
    const auto error = unverified_error({.reason = X509_V_ERR_CERT_REVOKED}, endpoint());
    CHECK(says(error, "certificate revoked"));
    CHECK(says(error, "replace it"));
}

TEST_CASE("a server without a common TLS version is told which to enable") {
    CHECK(says(ended_by(SSL_R_TLSV1_ALERT_PROTOCOL_VERSION), "version 1.2 or later"));
    CHECK(says(ended_by(SSL_R_UNSUPPORTED_PROTOCOL), "ssl_options.versions"));
}

TEST_CASE("reasons of other libraries with the same number mean nothing") {
    const auto error = handshake_error(
        TlsReasons{{{ERR_LIB_X509, SSL_R_WRONG_VERSION_NUMBER}}}, "it failed", endpoint());
    CHECK(error.code == Errc::unavailable);
    CHECK(says(error, "it failed"));
    CHECK(!says(error, "does not speak TLS"));
}
