#include "colony/webhooks/delivering.hpp"
#include "colony/webhooks/format.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::webhooks;
using namespace std::chrono_literals;

namespace {

Endpoint endpoint_of(Format format, std::string url = "https://a.example/hook") {
    return {
        .id = "e",
        .url = std::move(url),
        .events = {"*"},
        .format = format,
        .secrets = {.signing = make_secret({1})}};
}

Delivery about(const Endpoint& endpoint, const json::object& data, std::string event) {
    Random random{1};
    return delivery_of(
        endpoint, {.event = std::move(event), .data = data, .at = Timestamp{1'700'000'000s}},
        random);
}

json::object sent(const Endpoint& endpoint, const json::object& data, std::string event) {
    const auto message = message_of(endpoint, about(endpoint, data, std::move(event)));
    REQUIRE(message);
    return parse_json(message->body).value().as_object();
}

json::object said(const std::string& content) {
    return {
        {"message", {{"sender", "BEE-1"}, {"channel", "general"}, {"content", content}}},
        {"actor", "bee:BEE-1"}};
}

} // namespace

TEST_CASE("the standard format is type, timestamp and data") {
    const auto body = sent(endpoint_of(Format::standard), {{"ref", "TASK-9"}}, "task.completed");
    CHECK(body.at("type") == "task.completed");
    CHECK(body.at("timestamp") == "2023-11-14T22:13:20Z");
    CHECK(body.at("data").at("ref") == "TASK-9");
    CHECK(body.size() == 3);
}

TEST_CASE("a request carries id, seconds, signature and token") {
    Endpoint endpoint = endpoint_of(Format::standard);
    endpoint.secrets.token = Secret{"word"};
    const Delivery delivery = about(endpoint, {}, "ping");
    const auto message = signed_message(endpoint, delivery, Timestamp{1'700'000'001s});
    REQUIRE(message);
    const auto header = [&](std::string_view name) {
        for (const auto& [key, value] : message->headers) {
            if (key == name) return value;
        }
        return std::string{};
    };
    CHECK(header("webhook-id") == delivery.id);
    CHECK(header("webhook-timestamp") == "1700000001");
    CHECK(header("webhook-signature").starts_with("v1,"));
    CHECK(header("Authorization") == "Bearer word");
    endpoint.secrets.signing = Secret{"nonsense"};
    CHECK_FALSE(signed_message(endpoint, delivery, Timestamp{}));
}

TEST_CASE("Discord gets what it takes, and nobody is called by what a bee wrote") {
    const auto body = sent(
        endpoint_of(Format::discord), said("@everyone look <@1234> " + std::string(9000, 'x')),
        "message.new");
    const std::string content{body.at("content").as_string()};
    CHECK(content.size() <= 2000);
    CHECK(content.find("@everyone") == content.npos);
    CHECK(content.find("<@1") == content.npos);
    CHECK(body.at("allowed_mentions").at("parse").as_array().empty());
    const auto& embed = body.at("embeds").at(0).as_object();
    CHECK(embed.at("title") == "message.new");
    CHECK(embed.at("description").as_string().size() <= 4096);
    CHECK(to_text(embed).size() <= 6000);
    CHECK(embed.at("timestamp") == "2023-11-14T22:13:20Z");
}

TEST_CASE("a text is never cut through a character") {
    CHECK(shortened("ab", 2) == "ab");
    CHECK(shortened("abcdef", 5) == "ab…");
    CHECK(shortened("aééé", 6) == "aé…");
    CHECK(shortened("éé", 1) == "…");
}

TEST_CASE("GitHub gets a repository_dispatch, or a comment where the URL asks for one") {
    const auto dispatch = sent(
        endpoint_of(Format::github, "https://api.github.example/repos/o/r/dispatches"),
        {{"ref", "TASK-9"}}, "task.completed");
    CHECK(dispatch.at("event_type") == "hive.task.completed");
    CHECK(dispatch.at("client_payload").at("data").at("ref") == "TASK-9");
    CHECK(dispatch.at("client_payload").as_object().size() <= 10);
    const auto comment = sent(
        endpoint_of(Format::github, "https://api.github.example/repos/o/r/issues/3/comments?x=1"),
        {{"ref", "TASK-9"}, {"title", "ask @octocat ```"}, {"actor", "bee:B"}}, "task.completed");
    const std::string text{comment.at("body").as_string()};
    CHECK(comment.size() == 1);
    CHECK(text.starts_with("**task.completed** TASK-9 ask @\u200Boctocat"));
    CHECK(text.find("````json") != text.npos); // the fence holds
}

TEST_CASE("what is too large for GitHub says so instead of being refused for ever") {
    const auto dispatch = sent(
        endpoint_of(Format::github, "https://api.github.example/repos/o/r/dispatches"),
        said(std::string(70'000, 'x')), "message.new");
    CHECK(to_text(dispatch).size() < 65'535);
    CHECK(dispatch.at("client_payload").at("data").at("omitted") == "too large for GitHub");
    const auto comment = sent(
        endpoint_of(Format::github, "https://api.github.example/repos/o/r/issues/3/comments"),
        said(std::string(70'000, 'x')), "message.new");
    CHECK(comment.at("body").as_string().size() < 65'536);
}
