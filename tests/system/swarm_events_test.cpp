// What listeners hear of swarms, over WebSocket and server-sent events.
#include "tests/system/http_ws_client.hpp"
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <set>
#include <stdexcept>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using test::Client;
using test::WsClient;

namespace {

std::string address_of(const RestHive& hive) {
    return hive.hive.url.substr(hive.hive.url.find("//") + 2);
}

class Listener {
public:
    Listener(RestHive& hive, const std::string& key)
        : client_{Client::tcp(address_of(hive)), "/ws?token=" + ticket(hive, key)} {
        CHECK(text_of(next(), "type") == "welcome");
    }

    // Answers the snapshots that came first.
    std::vector<json::object> subscribe(const std::string& topics, bool snapshot = false) {
        client_.text(
            fmt::format(R"({{"op":"subscribe","topics":["{}"],"snapshot":{}}})", topics, snapshot));
        std::vector<json::object> first;
        for (;;) {
            auto message = next();
            if (text_of(message, "type") == "subscribed") return first;
            first.push_back(std::move(message));
        }
    }
    // Swarms say something all the time, so silence alone would not end a wait.
    json::object next() {
        if (std::chrono::steady_clock::now() > deadline_) {
            throw std::runtime_error{"what a listener waits for did not come in a minute"};
        }
        return object_in(client_.receive_text());
    }
    json::object next_of(const std::string& topic) {
        for (;;) {
            auto message = next();
            if (text_of(message, "topic") == topic) return message;
        }
    }

private:
    static std::string ticket(RestHive& hive, const std::string& key) {
        const auto made = hive.send({.method = "POST", .path = "/ws/tickets", .key = key});
        REQUIRE_MESSAGE(made.status == 201, made.text);
        return made.member("ticket");
    }

    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + 60s;
    WsClient client_;
};

// The stream until it holds this.
std::string stream_until(RestHive& hive, const std::string& query, std::string_view part) {
    Client feed = Client::tcp(address_of(hive));
    feed.send(fmt::format(
        "GET /api/v1/events?{} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n\r\n", query,
        hive.hive.key));
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    std::string stream;
    while (!contains(stream, part)) {
        REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, stream);
        const std::string more = feed.receive_some();
        REQUIRE_FALSE(more.empty());
        stream += more;
    }
    return stream;
}

} // namespace

TEST_CASE("a listener begins with all swarms and hears what becomes of them") {
    RestHive hive;
    hive.create("alpha", quiet_template);
    Listener listener{hive, hive.key_for("readonly")};
    const auto first = listener.subscribe("swarm.#", true);
    REQUIRE(first.size() == 1);
    CHECK(text_of(first[0], "type") == "snapshot");
    CHECK(text_of(first[0], "topic") == "swarm");
    const auto& swarms = first[0].at("data").as_array();
    REQUIRE(swarms.size() == 1);
    CHECK(swarms[0].at("id") == "alpha");
    CHECK(swarms[0].at("phase") == "Ready");

    hive.post("/swarms/alpha/start");
    std::set<std::string> phases;
    while (!phases.contains("Running")) {
        const auto state = listener.next_of("swarm.state.alpha");
        CHECK(state.at("seq").as_int64() > first[0].at("seq").as_int64());
        phases.insert(text_of(state.at("data").as_object(), "phase"));
    }
    hive.post("/swarms/alpha/stop");
    for (;;) {
        const auto entry = listener.next_of("swarm.journal.alpha");
        const auto& data = entry.at("data").as_object();
        if (text_of(data, "kind") == "request" && text_of(data, "type") == "swarm-stop") {
            CHECK(text_of(data, "origin") == "admin:queen");
            break;
        }
    }
}

TEST_CASE("the control plane is heard by pattern, exactly where a command says to listen") {
    RestHive hive;
    hive.create("alpha", quiet_template);
    Listener all{hive, hive.key_for("bee")};
    CHECK(all.subscribe("control.#").empty());
    Listener outcomes{hive, hive.key_for("human")};
    CHECK(outcomes.subscribe("control.event.outcome.*.alpha.swarm-controller.*").empty());
    const auto started = hive.post("/swarms/alpha/start");
    REQUIRE_MESSAGE(started.status == 202, started.text);
    const json::object accepted = started.body();
    const std::string topic = text_of(accepted.at("watch").as_object(), "topic");

    json::object heard;
    do {
        heard = outcomes.next();
        CHECK(text_of(heard, "topic").starts_with("control.event.outcome."));
    } while (text_of(heard, "topic") != topic);
    const auto& envelope = heard.at("data").as_object();
    CHECK(envelope.at("correlationId") == started.member("correlationId").c_str());
    CHECK(envelope.at("data").at("status") == "Running");
    // Each queue has its own order: the answer may be heard before the question.
    std::set<std::string> missing{
        topic, "control.signal.swarm-start.alpha.swarm-controller.alpha-marshal"};
    while (!missing.empty()) missing.erase(text_of(all.next(), "topic"));
}

TEST_CASE("a key that may not read swarms hears nothing of them") {
    RestHive hive;
    hive.create("alpha", quiet_template);
    Listener deaf{hive, hive.key_for("admin", {"--scope", "keys:admin"})};
    CHECK(deaf.subscribe("swarm.#", true).empty());
    CHECK(deaf.subscribe("control.#").empty());
    CHECK(deaf.subscribe("key.#").empty());
    REQUIRE(hive.post("/swarms/alpha/start?wait=30s").member("status") == "Running");
    hive.key_for("bee");
    CHECK(text_of(deaf.next(), "topic") == "key.created"); // and nothing before it
}

TEST_CASE("server-sent events tell the same, also what happened before one listened") {
    RestHive hive;
    hive.create("alpha", quiet_template, true);
    const auto state = stream_until(hive, "topics=swarm.state.%23&since=0", R"("phase":"Running")");
    CHECK(contains(state, R"("topic":"swarm.state.alpha")"));
    CHECK_FALSE(contains(state, "swarm.journal"));
    const auto control = stream_until(
        hive, "topics=control.event.outcome.%23&since=0", "event.outcome.swarm-start.alpha");
    CHECK_FALSE(contains(control, "control.signal"));
    const auto nobody = hive.send({.path = "/events?topics=swarm.%23", .key = "-"});
    CHECK(nobody.status == 401);
}
