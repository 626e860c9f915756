#include "audit/redaction.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace hive;
using namespace hive::audit;

namespace {

// 27 random digits and a checksum of 6, as our keys have.
constexpr std::string_view api_key = "hvb_4Jx8Qm2LrT0vYw9ZcKd3NfGh5PsBaUeR1tXy7q";

void check_hidden(const std::string& text, std::string_view secret) {
    const std::string out = redact_text(text);
    CHECK_MESSAGE(out.find(secret) == std::string::npos, out);
    CHECK_MESSAGE(out.find(redacted) != std::string::npos, out);
}

std::string redacted_text(const json::object& object) {
    return to_text(redact(object));
}

} // namespace

TEST_CASE("names of secrets are known in every usual spelling") {
    for (const auto* name : {"Authorization", "proxy-authorization",
                             "password",      "db_password",
                             "newPassword",   "passwd",
                             "passphrase",    "token",
                             "access_token",  "refreshToken",
                             "secret",        "clientSecret",
                             "key",           "KEY",
                             "api_key",       "X-Api-Key",
                             "apiKey",        "private_key",
                             "Set-Cookie",    "credentials",
                             "pwd",           "pin",
                             "auth"}) {
        CHECK_MESSAGE(names_a_secret(name), name);
    }
}

TEST_CASE("names of things about a secret are not secret") {
    for (const auto* name :
         {"keyId", "key_prefix", "tokenId", "token_type", "idempotencyKey", "routingKey",
          "publicKey", "author", "passed", "monkey", "spinner", "secretName", "keyLast4", "state",
          ""}) {
        CHECK_MESSAGE(!names_a_secret(name), name);
    }
}

TEST_CASE("values under secret names are replaced whatever they are") {
    CHECK(
        redacted_text({{"password", "hunter2"}, {"pin", 1234}, {"token", {{"id", 1}}}}) ==
        R"({"password":"[redacted]","pin":"[redacted]","token":"[redacted]"})");
    CHECK(
        redacted_text({{"headers", {{"Authorization", "Bearer abc"}, {"Accept", "*/*"}}}}) ==
        R"({"headers":{"Authorization":"[redacted]","Accept":"*/*"}})");
    CHECK(
        redacted_text({{"list", {{{"secret", "a"}}, {{"secret", "b"}}}}}) ==
        R"({"list":[{"secret":"[redacted]"},{"secret":"[redacted]"}]})");
}

TEST_CASE("what only says whether there was a secret stays") {
    const json::object details{
        {"password", nullptr}, {"token", ""}, {"passwordChanged", true}, {"prompt_tokens", 812}};
    CHECK(redact(details) == details);
}

TEST_CASE("API keys are found wherever they stand") {
    const std::string key{api_key};
    check_hidden(key, key);
    check_hidden("created " + key + " for bee", key);
    check_hidden("GET /ws?ticket=" + key + "&v=1", key);
    check_hidden("{\"value\":\"" + key + "\"}", key);
    check_hidden(
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F292c6912E7710c838347Ae178B4a");
    check_hidden(std::string{"sk-"} + "proj-0123456789abcdefghij", "abcdefghij");
    check_hidden("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/ab==", "MfKQ9r8");
    CHECK(
        redacted_text({{"value", api_key}, {api_key, 1}}) ==
        R"({"value":"[redacted]","[redacted]":1})");
}

TEST_CASE("credentials, tokens, passwords in URLs and private keys are found in text") {
    check_hidden("Authorization: Bearer abc.def.ghi", "abc");
    check_hidden("bearer A1b2C3d4E5", "A1b2C3d4E5");
    check_hidden("Basic dXNlcjpwYXNz", "dXNlcjpwYXNz");
    check_hidden("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl here", "eyJzdWIi");
    check_hidden("amqp://guest:s3cr3t@broker:5672/", "s3cr3t");
    check_hidden("POST /login?user=a&password=hunter2&next=/", "hunter2");
    check_hidden("token: abc123; retry", "abc123");
    check_hidden(R"({"api_key": "abc123"})", "abc123");
    check_hidden(
        "x -----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY----- y",
        "MIIEow");
    check_hidden("-----BEGIN PRIVATE KEY-----\nMC4CAQAw cut short", "MC4CAQAw");
}

TEST_CASE("only the secret part of a text is replaced") {
    CHECK(redact_text("a?token=abc&b=1") == "a?token=[redacted]&b=1");
    CHECK(redact_text("amqp://guest:word@host/") == "amqp://guest:[redacted]@host/");
    CHECK(redact_text("Authorization: Bearer abc, then") == "Authorization: [redacted], then");
    CHECK(
        redact_text("x -----BEGIN PRIVATE KEY-----\nM\n-----END PRIVATE KEY----- y") ==
        "x [redacted] y");
}

TEST_CASE("ordinary text, ids and digests stay as they are") {
    for (const auto* text :
         {"", "a plain sentence: nothing to hide.", "basic authentication failed",
          "task_01h455vb4pex5vsknk084sn02q", "task_0190c2c15e7c4f9a8b1d0190c2c15e7c",
          "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "https://example.org:8080/a?b=c#d",
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----", "token expired",
          "2025-06-15T12:00:00Z", "user@example.org", "eyJ is how it starts",
          "password:", "key="}) {
        CHECK(redact_text(text) == text);
    }
}

TEST_CASE("redacting twice changes nothing more") {
    for (const auto* text : {"password=abc", "Bearer abcdefghi1", "http://a:b@c", "token: x"}) {
        const std::string once = redact_text(text);
        CHECK(redact_text(once).find("[redacted]") != std::string::npos);
    }
}
