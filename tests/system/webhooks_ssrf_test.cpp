#include "tests/system/webhooks_scene.hpp"

#include <fmt/format.h>

using namespace hive;
using namespace hive::test;

namespace {

// What the first attempt at a URL came to.
json::object attempt_at(WebhooksUnderTest& hive, const std::string& url) {
    const auto webhook = hive.create(url, {{"events", {"cost.none"}}});
    const auto sent =
        hive.colony().hive().send("POST", path_of(webhook, "/test"), hive.admin().headers);
    REQUIRE(sent.status == 202);
    json::value delivery;
    REQUIRE_MESSAGE(
        eventually([&] {
            delivery = hive.deliveries(webhook).at(0);
            return delivery.at("attempts") != 0;
        }),
        url);
    CHECK(
        hive.colony().hive().send("DELETE", path_of(webhook), hive.admin().headers).status == 200);
    return delivery.at("log").at(0).as_object();
}

} // namespace

TEST_CASE("nothing but the public internet is reached, in whatever way an address is written") {
    WebhooksUnderTest hive{{.allow = {}}};
    Receiver receiver;
    const std::string port = receiver.url("").substr(receiver.url("").rfind(':') + 1);
    for (const std::string host :
         {"127.0.0.1",         "localhost",       "127.1",          "2130706433",
          "0x7f000001",        "0177.0.0.1",      "[::1]",          "[::ffff:127.0.0.1]",
          "[::ffff:7f00:1]",   "0.0.0.0",         "[::]",           "169.254.169.254",
          "[fd00:ec2::254]",   "10.0.0.1",        "172.16.0.1",     "192.168.0.1",
          "100.64.0.1",        "224.0.0.1",       "[fe80::1]",      "[ff02::1]",
          "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "255.255.255.255"}) {
        const auto attempt = attempt_at(hive, fmt::format("http://{}:{}/", host, port));
        CHECK_MESSAGE(!attempt.contains("status"), host);
        const std::string why{attempt.at("answer").as_string()};
        CHECK_MESSAGE(why.find("not on the public internet") != why.npos, host, ": ", why);
    }
    CHECK(receiver.received().empty());
}

TEST_CASE("what is allowed by network or by name is reached, and nothing beside it") {
    Receiver receiver;
    const std::string port = receiver.url("").substr(receiver.url("").rfind(':') + 1);
    {
        WebhooksUnderTest hive{{.allow = {"127.0.0.0/8"}}};
        CHECK(attempt_at(hive, fmt::format("http://localhost:{}/", port)).at("status") == 204);
        CHECK_FALSE(attempt_at(hive, fmt::format("http://[::1]:{}/", port)).contains("status"));
    }
    {
        WebhooksUnderTest hive{{.allow = {"localhost"}}};
        CHECK(attempt_at(hive, fmt::format("http://localhost:{}/", port)).at("status") == 204);
        CHECK_FALSE(attempt_at(hive, fmt::format("http://127.0.0.1:{}/", port)).contains("status"));
    }
}

TEST_CASE("the formats of Discord and GitHub arrive as they read them") {
    Receiver receiver;
    WebhooksUnderTest hive;
    hive.create(receiver.url("/d/word"), {{"events", {"message.new"}}, {"format", "discord"}});
    hive.create(
        receiver.url("/repos/o/r/dispatches"),
        {{"events", {"task.created"}}, {"format", "github"}, {"token", "ghp_x"}});
    hive.colony().bee("B1").post(
        "/api/v1/channels/general/messages", {{"content", "@everyone hi"}}, 201);
    hive.colony().make_task({{"title", "t"}});
    REQUIRE(eventually([&] { return receiver.received().size() == 2; }));
    for (const auto& one : receiver.received()) {
        const auto body = parsed(one.body).as_object();
        if (body.contains("event_type")) {
            CHECK(body.at("event_type") == "hive.task.created");
            CHECK(one.headers.at("authorization") == "Bearer ghp_x");
            CHECK(one.headers.at("accept") == "application/vnd.github+json");
        } else {
            CHECK(body.at("content").as_string().find("@everyone") == std::string::npos);
            CHECK(one.headers.contains("webhook-signature"));
        }
    }
}
