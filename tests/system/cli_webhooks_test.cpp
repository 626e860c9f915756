#include "tests/system/cli_hive.hpp"
#include "tests/system/web_server.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace hive;
using namespace hive::test;
using namespace hive::tests;

TEST_CASE("a webhook is set up, tested, looked after and removed from a shell") {
    std::atomic<unsigned> status = 204;
    WebServer receiver{[&](const http::Request&) -> http::Eventually<http::Response> {
        return text_answer(status == 204 ? "" : "not today", status);
    }};
    const RunningHive hive{
        {"--colony-webhooks-allow", "127.0.0.1", "--colony-webhooks-retries", "1h"}};
    CHECK(contains(hive.run({"webhook", "list"}).err, "hive webhook create"));
    const auto made = hive.ask(
        {"webhook", "create", receiver.url("/hook"), "--event", "task.*", "--description",
         "builds"});
    const std::string id = text_of(made, "id");
    CHECK(text_of(made, "secret").starts_with("whsec_"));
    CHECK(contains(hive.run({"webhook", "list"}).out, "/hook"));
    const auto shown = hive.run({"webhook", "show", id});
    CHECK(contains(shown.out, "builds"));
    CHECK_FALSE(contains(shown.out, "whsec_"));

    const auto tested = hive.run({"webhook", "test", id});
    CHECK_MESSAGE(tested.exit_code == 0, tested.out, tested.err);
    CHECK(contains(tested.out, "is delivered after 1 attempts"));
    status = 500;
    const auto failing = hive.run({"webhook", "test", id});
    CHECK(failing.exit_code == 1);
    CHECK(contains(failing.out, "500 not today"));
    const auto log = hive.ask({"webhook", "deliveries", id, "--state", "pending"});
    REQUIRE(log.at("items").as_array().size() == 1);
    CHECK(contains(hive.run({"webhook", "deliveries", id}).out, "not today"));
    const std::string delivery = text_of(log.at("items").at(0).as_object(), "id");
    CHECK(contains(hive.run({"webhook", "replay", id, delivery}).out, "is sent again"));
    const auto since =
        hive.run({"webhook", "replay", id, "--since", "2020-01-01T00:00:00Z", "--all"});
    CHECK(contains(since.out, "deliveries are sent again"));
    CHECK(hive.run({"webhook", "replay", id}).exit_code == 2);

    const auto rotated = hive.run({"webhook", "rotate", id, "--overlap", "1h"});
    CHECK(contains(rotated.out, "whsec_"));
    CHECK(contains(rotated.out, "old secret until"));
    CHECK(contains(hive.run({"webhook", "update", id, "--disable"}).out, "disabled"));
    CHECK(hive.run({"webhook", "test", id}).exit_code != 0);
    CHECK(
        contains(hive.run({"webhook", "update", id, "--enable", "--event", "bee.*"}).out, "bee.*"));
    CHECK(hive.run({"webhook", "update", id, "--enable", "--disable"}).exit_code == 2);
    CHECK(hive.run({"webhook", "create", "ftp://a.example/"}).exit_code == 2);
    CHECK(contains(hive.run({"webhook", "remove", id}).out, "is removed"));
    CHECK(hive.run({"webhook", "show", id}).exit_code != 0);
}

TEST_CASE("a server refuses to start with a network that is none") {
    const Person person;
    const auto refused = person.run(
        {"serve", "--port", "0", "--data", person.home.path("data"), "--colony-webhooks-allow",
         "10.0.0.0/99"});
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "10.0.0.0/99"));
}
