#include "kernel/secret.hpp"

#include <boost/json/value_from.hpp>
#include <doctest/doctest.h>

#include <sstream>

using namespace hive;

namespace {

SecretSources two_sources() {
    return {
        .env = [](const std::string& name) -> std::optional<std::string> {
            if (name == "PASSWORD") return "hunter2";
            return std::nullopt;
        },
        .file = [](const std::string& path) -> Result<std::string> {
            if (path == "/run/key") return "from-file\r\n";
            return fail(Errc::not_found, "no such file");
        }};
}

} // namespace

TEST_CASE("a secret prints as three stars whichever way it is printed") {
    const Secret secret{"hunter2"};
    std::ostringstream stream;
    stream << secret;
    CHECK(stream.str() == "***");
    CHECK(fmt::format("{}", secret) == "***");
    CHECK(fmt::format("{:>5}", secret) == "  ***");
    CHECK(to_text(json::value_from(secret)) == "\"***\"");
    CHECK(secret.reveal() == "hunter2");
}

TEST_CASE("a secret that was moved away leaves nothing behind") {
    Secret from{"pin"};
    const Secret to{std::move(from)};
    CHECK(to.reveal() == "pin");
    CHECK(from.empty()); // NOLINT(bugprone-use-after-move): that is the point
    Secret copy;
    copy = to;
    CHECK(copy == to);
}

TEST_CASE("secrets are equal exactly when their text is") {
    CHECK(Secret{"abc"} == Secret{"abc"});
    CHECK_FALSE(Secret{"abc"} == Secret{"abd"});
    CHECK_FALSE(Secret{"abc"} == Secret{"abcabc"});
    CHECK_FALSE(Secret{"abcabc"} == Secret{"abc"});
    CHECK_FALSE(Secret{} == Secret{"a"});
    CHECK(Secret{} == Secret{});
}

TEST_CASE("references to the environment and to files are replaced inside a text") {
    CHECK(resolve_secret("plain", two_sources())->reveal() == "plain");
    CHECK(resolve_secret("{env:PASSWORD}", two_sources())->reveal() == "hunter2");
    CHECK(resolve_secret("{file:/run/key}", two_sources())->reveal() == "from-file");
    const auto url = resolve_secret("amqp://bee:{env:PASSWORD}@host/{x}", two_sources());
    CHECK(url->reveal() == "amqp://bee:hunter2@host/{x}");
}

TEST_CASE("a reference that leads nowhere is named without the text around it") {
    for (const char* text :
         {"topsecret{env:NOPE}", "topsecret{file:/nope}", "topsecret{env:NOPE"}) {
        const auto secret = resolve_secret(text, two_sources());
        REQUIRE_MESSAGE(!secret.has_value(), text);
        CHECK(secret.error().detail.find("topsecret") == std::string::npos);
    }
    CHECK(
        resolve_secret("{env:NOPE}", two_sources()).error().detail ==
        "{env:NOPE} names an environment variable that is not set");
}

TEST_CASE("passwords inside urls are masked, the rest stays readable") {
    CHECK(mask_url_passwords("amqp://bee:p/w@d@host:5672/vh") == "amqp://bee:***@host:5672/vh");
    CHECK(mask_url_passwords("url: http://host:80/a") == "url: http://host:80/a");
    CHECK(mask_url_passwords("a://u:x@h 'b://v:y@i'") == "a://u:***@h 'b://v:***@i'");
    CHECK(mask_url_passwords("no url, me:you@there") == "no url, me:you@there");
    CHECK(mask_url_passwords("://") == "://");
}
