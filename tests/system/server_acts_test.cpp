#include "api/colony/unit.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace hive;
using namespace hive::test;

namespace {

// Greets, and takes it back when told to.
class Greeting {
public:
    explicit Greeting(const rest::SessionParts& parts) : parts_{parts} {}

    http::asio::awaitable<http::Response> greet(api::Call call) const {
        const bool refused = call.body().as_object().contains("refuse");
        return rest::act(parts_, call, [refused](rest::Unit& unit) -> Result<http::Response> {
            unit.moment().say(
                {.type = "task.greeted",
                 .entity_type = "task",
                 .entity_id = "t1",
                 .told = {{"words", "hello"}},
                 .details = {{"before", "silence"}},
                 .words = {"ref.9"}});
            return api::json_response(json::object{}, refused ? 409 : 200);
        });
    }

private:
    rest::SessionParts parts_;
};

std::vector<api::Route> greeting_route(const rest::SessionParts& parts) {
    const auto greeting = std::make_shared<const Greeting>(parts);
    std::vector<api::Route> routes;
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/greet",
         .id = "greet",
         .summary = "Greets",
         .tag = "test",
         .access = api::Access::needs(api::Area::tasks, api::Level::write),
         .handler = api::AsyncHandler{[greeting](api::Call call) { return greeting->greet(call); }},
         .request = api::Content{.schema = {{"type", "object"}}, .example = json::object{}},
         .answers = {{200, "Greeted", {}}}});
    return routes;
}

template <class Condition>
bool eventually(const Condition& holds) {
    for (int i = 0; i < 3000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return false;
}

} // namespace

TEST_CASE("what an act says is recorded with its change and heard after it; refused, neither") {
    HiveUnderTest hive{{.more = {greeting_route}}};
    const std::string bee = hive.key_for(accounts::Role::bee);
    const auto before = hive.audit_size();
    CHECK(hive.send("POST", "/api/v1/greet", bee, R"({"refuse":true})").status == 409);
    CHECK(hive.audit_size() == before);

    const std::string admin = hive.key_for(accounts::Role::admin);
    const auto ticket = parsed(hive.send("POST", "/api/v1/ws/tickets", admin).body).at("ticket");
    WsClient client{hive.connect(), fmt::format("/ws?token={}", ticket.as_string().c_str())};
    client.receive_text(); // welcome
    client.text(R"({"op":"subscribe","topics":["task.*.t1.#"]})");
    client.receive_text(); // subscribed
    CHECK(hive.send("POST", "/api/v1/greet", bee, "{}").status == 200);
    const auto heard = parsed(client.receive_text());
    CHECK(heard.at("topic") == "task.greeted.t1.ref_9");
    CHECK(heard.at("data").at("event") == "task.greeted");
    CHECK(heard.at("data").at("words") == "hello");
    CHECK_FALSE(heard.at("data").as_object().contains("before"));
    const auto entry = hive.await_audit("task.greeted");
    CHECK(entry.actor == "bee:bee");
    CHECK(entry.disclosure->details.find(R"("before":"silence")") != std::string::npos);
    CHECK(entry.disclosure->details.find(R"("words":"hello")") != std::string::npos);
}

TEST_CASE("a chore is done again and again in the name of the hive; its trouble is told once") {
    auto runs = std::make_shared<std::atomic<int>>(0);
    HiveUnderTest hive{{.offer = [runs](rest::HiveParts& parts) {
        parts.chores.push_back(
            {.name = "counting",
             .every = std::chrono::milliseconds{1},
             .work =
                 rest::as_chore(HiveId::parse("main").value(), [runs](rest::Unit& unit) -> Status {
                     const int run = ++*runs;
                     if (run <= 3) return fail(Errc::unavailable, "not yet");
                     unit.moment().say(
                         {.type = "hive.counted", .entity_type = "count", .entity_id = "c"});
                     return {};
                 })});
    }}};
    CHECK(hive.await_audit("hive.counted").actor == "system:hive");
    REQUIRE(eventually([&] { return hive.log.contains("a chore works again"); }));
    int complaints = 0;
    for (const auto& line : hive.log.lines()) {
        complaints += line.find("a chore failed") != line.npos ? 1 : 0;
    }
    CHECK(complaints == 1);
    const int before = *runs;
    CHECK(eventually([&] { return *runs > before; }));
}
