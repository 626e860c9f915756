#include "tests/support/places.hpp"
#include "tests/system/program_lines.hpp"
#include "tests/system/webhooks_scene.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

const std::string general = "/api/v1/channels/general/messages";

// What the reference library of Standard Webhooks says of it: `good <type>` or `bad <why>`.
std::string checked(const Received& received, const std::string& secret) {
    const hive::tests::ScratchDirectory scratch;
    const std::string file = scratch.path() / "deliveries.json";
    json::object headers;
    for (const auto& [name, value] : received.headers) headers[name] = value;
    const json::array deliveries{
        json::object{{"secret", secret}, {"headers", headers}, {"body", received.body}}};
    std::ofstream{file} << to_text(deliveries);
    ProgramLines node{fmt::format(
        "NODE_PATH='{}' exec node '{}/tests/system/webhook_verify.cjs' '{}' 2>&1",
        hive::tests::in_build("npm-system/node_modules"), hive::tests::in_source(""), file)};
    return node.next();
}

} // namespace

TEST_CASE("what happens is told, signed so that the reference library believes it") {
    Receiver receiver;
    WebhooksUnderTest hive;
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.*", "message.new"}}});
    const std::string secret = text_at(webhook, "/secret");
    CHECK(secret.starts_with("whsec_"));
    const auto task = hive.colony().make_task({{"title", "Measure it"}});
    hive.colony().bee("BEE-1").post(general, {{"content", "hello"}}, 201);
    const auto created = receiver.await("task.created").front();
    CHECK(created.headers.at("content-type") == "application/json");
    CHECK(created.headers.at("user-agent") == "PocketHive-Webhooks");
    CHECK(text_at(parsed(created.body), "/data/ref") == task);
    CHECK(text_at(parsed(created.body), "/data/actor") == "human:alice");
    CHECK(checked(created, secret) == "good task.created");
    CHECK(checked(receiver.await("message.new").front(), secret) == "good message.new");
    Received forged = created;
    forged.body += ' ';
    CHECK(checked(forged, secret).starts_with("bad"));
    CHECK(receiver.received("bee.joined").empty()); // it was not asked for
    const auto delivery = hive.await(webhook, "task.created", "delivered");
    CHECK(text_at(delivery, "/id") == created.id);
    CHECK(delivery.at("log").at(0).at("status") == 204);
}

TEST_CASE("a secret is shown once: not again, not in the audit log, not in the log") {
    Receiver receiver;
    WebhooksUnderTest hive;
    const auto webhook = hive.create(
        receiver.url("/hook?word=hidden"), {{"token", "tell-nobody"}, {"description", "d"}});
    const std::string secret = text_at(webhook, "/secret");
    const auto changed = hive.admin().send(
        "PATCH", path_of(webhook), json::object{{"description", "other"}, {"token", "hush"}});
    CHECK(changed.status == 200);
    hive.colony().make_task({});
    CHECK(receiver.await("task.created").front().headers.at("authorization") == "Bearer hush");
    const std::string audited = to_text(hive.admin().get("/api/v1/audit?limit=1000"));
    CHECK(audited.find("webhook.created") != audited.npos);
    CHECK(audited.find("127.0.0.1") != audited.npos); // where to, but no more
    CHECK(audited.find("word=hidden") == audited.npos);
    std::string everything = changed.body + to_text(hive.show(webhook)) +
                             to_text(hive.admin().get("/api/v1/webhooks")) +
                             to_text(hive.deliveries(webhook)) + audited;
    for (const auto& line : hive.colony().hive().log.lines()) everything += line;
    for (const std::string& hidden :
         {secret, secret.substr(6), std::string{"tell-nobody"}, std::string{"hush"}}) {
        CHECK(everything.find(hidden) == everything.npos);
    }
    CHECK(hive.show(webhook).at("hasToken") == true);
}

TEST_CASE("after a rotation both secrets sign, then only the new one") {
    Receiver receiver;
    WebhooksUnderTest hive;
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    const auto before = text_at(webhook, "/secret");
    const auto rotated = hive.admin().post(path_of(webhook, "/rotate"), {{"overlap", "1h"}});
    const auto after = text_at(rotated, "/secret");
    CHECK(before != after);
    hive.colony().make_task({});
    const auto both = receiver.await("task.created").front();
    CHECK(checked(both, before) == "good task.created");
    CHECK(checked(both, after) == "good task.created");
    const auto last =
        text_at(hive.admin().post(path_of(webhook, "/rotate"), {{"overlap", "0s"}}), "/secret");
    hive.colony().make_task({});
    const auto one = receiver.await("task.created", 2).back();
    CHECK(checked(one, last) == "good task.created");
    CHECK(checked(one, after).starts_with("bad"));
    CHECK(checked(one, before).starts_with("bad"));
}

TEST_CASE("a ping arrives whatever the webhook wants; a disabled one is not tested") {
    Receiver receiver;
    WebhooksUnderTest hive;
    const auto webhook = hive.create(receiver.url(), {{"events", {"cost.*"}}});
    const auto sent =
        hive.colony().hive().send("POST", path_of(webhook, "/test"), hive.admin().headers);
    CHECK(sent.status == 202);
    CHECK(receiver.await("ping").front().id == text_at(parsed(sent.body), "/id"));
    CHECK(
        hive.admin().send("PATCH", path_of(webhook), json::object{{"enabled", false}}).status ==
        200);
    const auto refused =
        hive.colony().hive().send("POST", path_of(webhook, "/test"), hive.admin().headers);
    CHECK(refused.status == 409);
    CHECK(code_of(refused) == "webhook-disabled");
}

TEST_CASE("a checkpoint of the audit log is told outside") {
    Receiver receiver;
    WebhooksUnderTest hive;
    hive.create(receiver.url(), {{"events", {"audit.checkpoint"}}});
    hive.colony().make_task({});
    CHECK(
        hive.colony()
                .hive()
                .send("POST", "/api/v1/audit/checkpoints", hive.admin().headers)
                .status /
            100 ==
        2);
    CHECK(
        parsed(receiver.await("audit.checkpoint").front().body).at("data").at("size").as_int64() >
        0);
}

TEST_CASE("what is not a webhook is refused with what is wrong") {
    WebhooksUnderTest hive;
    const auto refused = [&](const json::object& body) {
        const auto answer = hive.admin().send("POST", "/api/v1/webhooks", body);
        CHECK_MESSAGE(answer.status == 400, to_text(body), answer.body);
        return code_of(answer);
    };
    const std::string url = "https://a.example/";
    CHECK(refused({{"url", "ftp://a.example/"}, {"events", {"*"}}}) == "bad-url");
    CHECK(refused({{"url", "https://u:p@a.example/"}, {"events", {"*"}}}) == "bad-url");
    CHECK(refused({{"url", url}, {"events", {"task.**"}}}) == "bad-events");
    refused({{"url", url}, {"events", json::array{}}});
    refused({{"url", url}, {"events", {"*"}}, {"format", "xml"}});
    refused({{"url", url}, {"events", {"*"}}, {"color", "red"}});
    refused({{"url", url}, {"events", {"*"}}, {"token", "two\r\nlines"}});
    refused({{"url", url}, {"events", "*"}});
    const std::string nobody = "/api/v1/webhooks/0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a31";
    hive.admin().get(nobody, 404);
    hive.admin().get(nobody + "/deliveries", 404);
    hive.admin().post(nobody + "/replay", {{"since", "2026-01-05T10:00:00Z"}}, 404);
    CHECK(hive.admin().get("/api/v1/webhooks").at("items").as_array().empty());
}

TEST_CASE("every route of webhooks is closed to all but administrators") {
    WebhooksUnderTest hive;
    const auto& server = hive.colony().hive();
    std::size_t routes = 0;
    for (const api::Route& route : server.server->routes().routes()) {
        if (route.tag != "webhooks") continue;
        ++routes;
        std::string path = route.path;
        for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{')) {
            path.replace(at, path.find('}') - at + 1, "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a31");
        }
        const auto status_for = [&](const std::string& headers) {
            const std::string body = route.request ? to_text(route.request->example) : "";
            const std::string_view type = body.empty() ? "" : "Content-Type: application/json\r\n";
            return server.send(http::name_of(route.method), path, headers + std::string{type}, body)
                .status;
        };
        CAPTURE(route.id);
        CHECK(status_for("") == 401);
        for (const auto role :
             {accounts::Role::human, accounts::Role::bee, accounts::Role::readonly}) {
            CHECK(
                status_for(HiveUnderTest::bearer(
                    server.key_text({.id = {}, .owner = "x", .role = role}))) == 403);
        }
        const auto admitted = status_for(hive.admin().headers);
        CHECK((admitted / 100 == 2 || admitted == 404));
    }
    CHECK(routes == 11);
}

TEST_CASE("webhooks are for administrators, and there is room for a bounded number") {
    WebhooksUnderTest hive;
    const json::object body{{"url", "https://a.example/"}, {"events", {"*"}}};
    CHECK(hive.colony().person().send("POST", "/api/v1/webhooks", body).status == 403);
    CHECK(hive.colony().bee("B").send("POST", "/api/v1/webhooks", body).status == 403);
    hive.colony().person().get("/api/v1/webhooks", 403);
    for (std::size_t i = 0; i < colony::webhooks::endpoints_max; ++i) {
        hive.admin().post(
            "/api/v1/webhooks", {{"url", "https://a.example/"}, {"events", {"x.y"}}}, 201);
    }
    const auto refused = hive.admin().send("POST", "/api/v1/webhooks", body);
    CHECK(refused.status == 409);
    CHECK(code_of(refused) == "too-many-webhooks");
}

TEST_CASE("a removed webhook hears nothing any more") {
    Receiver receiver;
    WebhooksUnderTest hive;
    const auto webhook = hive.create(receiver.url(), {{"events", {"task.created"}}});
    const auto other = hive.create(receiver.url("/other"), {{"events", {"task.*"}}});
    CHECK(
        hive.colony().hive().send("DELETE", path_of(webhook), hive.admin().headers).status == 200);
    hive.colony().make_task({});
    hive.await(other, "task.created", "delivered");
    CHECK(receiver.received("task.created").size() == 1);
    hive.admin().get(path_of(webhook), 404);
}
