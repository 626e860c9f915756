#include "api/rest/control_mirror.hpp"
#include "api/rest/swarm_feed.hpp"
#include "store/journal_tables.hpp"
#include "store/wait.hpp"
#include "tests/system/server_swarms_scene.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

std::string create_body(const std::string& id, const std::string& text = template_text) {
    return fmt::format(R"({{"id":"{}","template":{}}})", id, text);
}

} // namespace

TEST_CASE("swarms are listed by id, page by page, removed ones to who asks for them") {
    Swarms scene;
    using orchestrator::Phase;
    scene.court.reports = {
        report("a"), report("b"), report("c", Phase::failed),
        report("d", Phase::removed, orchestrator::Wish::removed)};
    auto page = parsed(scene.get("/swarms?limit=2").body).as_object();
    REQUIRE(page.at("items").as_array().size() == 2);
    const std::string next{page.at("next").as_string()};
    page = parsed(scene.get("/swarms?limit=2&cursor=" + next).body).as_object();
    REQUIRE(page.at("items").as_array().size() == 1);
    CHECK(page.at("items").as_array()[0].at("id") == "c");
    CHECK_FALSE(page.contains("next"));
    page = parsed(scene.get("/swarms?phase=Removed").body).as_object();
    CHECK(page.at("items").as_array()[0].at("id") == "d");

    const auto shown = parsed(scene.get("/swarms/a").body).as_object();
    CHECK(shown.at("health") == "Healthy");
    CHECK(shown.at("stale") == false);
    CHECK(shown.at("allowed") == json::array{"stop", "config", "remove"});
    CHECK(scene.get("/swarms/d").status == 404);
    CHECK(scene.get("/swarms/nobody").status == 404);
    CHECK(scene.get("/swarms/no.id").status == 400);
}

TEST_CASE("a template that cannot be used is refused at once with every place that is wrong") {
    Swarms scene;
    const auto answer = scene.post(
        "/swarms", create_body("alpha", R"({"bees":[{"role":"a b"},{"role":"ok","replicas":0}]})"));
    CHECK(answer.status == 400);
    const auto errors = parsed(answer.body).at("errors").as_array();
    REQUIRE(errors.size() == 2);
    CHECK(errors[0].at("pointer") == "/template/bees/0/role");
    CHECK(errors[1].at("pointer") == "/template/bees/1/replicas");
    const auto bad_id = scene.post("/swarms", create_body("ALL"));
    CHECK(bad_id.status == 400);
    CHECK(parsed(bad_id.body).at("errors").as_array()[0].at("pointer") == "/id");
    CHECK(scene.court.asks.empty());
}

TEST_CASE("a refused command says why, and what would be allowed instead") {
    Swarms scene;
    scene.court.reports = {
        report("alpha", orchestrator::Phase::removing, orchestrator::Wish::removed)};
    scene.court.answer = fail(Errc::conflict, "the swarm is being removed");
    const auto answer = scene.post("/swarms/alpha/start");
    CHECK(answer.status == 409);
    const auto problem = parsed(answer.body).as_object();
    CHECK(problem.at("detail") == "the swarm is being removed");
    CHECK(problem.at("allowed") == json::array{"remove"});
    scene.court.answer = fail(Errc::not_found, "there is no swarm 'beta'");
    CHECK(scene.post("/swarms/beta/stop").status == 404);
}

TEST_CASE("a command is accepted with what to watch, and answered in full once it has ended") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    auto answer = scene.post("/swarms/alpha/stop?wait=50ms");
    CHECK(answer.status == 202); // nobody says how it ended
    auto body = parsed(answer.body).as_object();
    CHECK(
        body.at("watch").at("routingKey") ==
        "event.outcome.swarm-stop.alpha.swarm-controller.alpha-marshal");
    CHECK(body.at("timeoutMs") == 180000);
    const std::string url{body.at("watch").at("url").as_string()};
    CHECK(scene.hive.get(url, scene.admin()).status == 404); // it is kept nowhere

    scene.court.set_ended(orchestrator::Ended{
        .asked = {.correlation_id = "?"},
        .swarm = alpha,
        .command = wire::Command::swarm_stop,
        .status = wire::OutcomeStatus::not_ready,
        .reason = "not initialised"});
    answer = scene.post("/swarms/alpha/stop?wait=5s");
    CHECK(answer.status == 200);
    body = parsed(answer.body).as_object();
    CHECK(body.at("status") == "NotReady");
    CHECK(body.at("succeeded") == false);
    CHECK(scene.hive.get(url + "?wait=1s", scene.admin()).status == 200);
    CHECK(scene.post("/swarms/alpha/stop?wait=11m").status == 400);
    CHECK(scene.post("/swarms/alpha/stop?wait=soon").status == 400);
}

TEST_CASE("the key of a refused command is free again, and one in flight is told apart") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    const std::string key = "Idempotency-Key: k-1\r\n";
    scene.court.answer = fail(Errc::conflict, "not now");
    CHECK(scene.post("/swarms/alpha/start", "", key).status == 409);
    CHECK(scene.post("/swarms/alpha/start", "", key).status == 409);
    CHECK(scene.court.asks.size() == 2);
    scene.court.answer = {};
    // The double keeps no answer, so the claim of this one stays.
    CHECK(scene.post("/swarms/alpha/start", "", key).status == 202);
    const auto again = scene.post("/swarms/alpha/start?wait=1s", "", key);
    CHECK(again.status == 409);
    CHECK(code_of(again) == "request-in-flight");
    CHECK(scene.post("/swarms/alpha/config", R"({"a":1})", key).status == 202);
    const auto other = scene.post("/swarms/alpha/config", R"({"a":2})", key);
    CHECK(other.status == 422);
}

TEST_CASE("configuration goes to a swarm, to every bee of a role, or to one") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    const auto targets = [&] {
        std::vector<std::string> found;
        for (const auto& ask : scene.court.asks) {
            found.push_back(to_text(std::get<orchestrator::ConfigAsked>(ask).target));
        }
        scene.court.asks.clear();
        return found;
    };
    using Texts = std::vector<std::string>;
    CHECK(scene.post("/swarms/alpha/config", R"({"rate":5})").status == 202);
    CHECK(targets() == Texts{"alpha.ALL.ALL"});
    const auto role = scene.post("/swarms/alpha/components/processor/config", R"({"rate":5})");
    CHECK(role.status == 202);
    CHECK(parsed(role.body).at("items").as_array().size() == 2);
    CHECK(
        targets() ==
        Texts{"alpha.processor.alpha-processor-1", "alpha.processor.alpha-processor-2"});
    CHECK(
        scene.post("/swarms/alpha/components/processor/alpha-processor-2/config", R"({"a":1})")
            .status == 202);
    CHECK(targets() == Texts{"alpha.processor.alpha-processor-2"});
    CHECK(scene.post("/swarms/alpha/components/nobody/config", R"({"a":1})").status == 404);
    CHECK(scene.post("/swarms/alpha/components/processor/x/config", R"({"a":1})").status == 404);
    CHECK(scene.post("/swarm-managers/alpha/disable").status == 202);
    CHECK(targets() == Texts{"alpha.swarm-controller.alpha-marshal"});
    CHECK(scene.post("/swarm-managers/enable").status == 202);
    CHECK(targets() == Texts{"alpha.swarm-controller.alpha-marshal"});

    CHECK(scene.post("/swarms/alpha/components/processor/status-request").status == 202);
    CHECK(scene.post("/control-plane/refresh").status == 202);
    CHECK(scene.post("/swarms/alpha/status-request").status == 202);
    CHECK(
        scene.court.requested == Texts{
                                     "alpha.processor.ALL", "ALL.swarm-controller.ALL",
                                     "alpha.ALL.ALL", "alpha.swarm-controller.ALL"});
}

TEST_CASE("the journal is paged and filtered, and can be followed from where one stopped") {
    Swarms scene;
    REQUIRE(store::write_and_wait(
        *scene.hive.database, {.work = [&](store::Session& session) -> Status {
            std::vector<store::JournalRow> rows(5);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i].swarm = i % 2 == 0 ? "alpha" : "beta";
                rows[i].severity = static_cast<std::int64_t>(i % 3);
                rows[i].data = "{}";
            }
            auto added = store::JournalTable{session, scene.hive.hive}.append(rows, "b");
            return added ? Status{} : fail(added.error());
        }}));
    const auto sequences = [&](const std::string& path) {
        std::vector<std::int64_t> found;
        const auto answer = scene.get(path);
        REQUIRE_MESSAGE(answer.status == 200, answer.body);
        const json::array items = parsed(answer.body).at("items").as_array();
        for (const auto& item : items) {
            found.push_back(item.at("sequence").to_number<std::int64_t>());
        }
        return found;
    };
    using Sequences = std::vector<std::int64_t>;
    CHECK(sequences("/journal") == Sequences{5, 4, 3, 2, 1});
    CHECK(sequences("/swarms/alpha/journal") == Sequences{5, 3, 1});
    CHECK(sequences("/journal?severity=warn") == Sequences{5, 3, 2});
    CHECK(sequences("/journal?after=3") == Sequences{4, 5});
    const auto first = parsed(scene.get("/journal?limit=2").body).as_object();
    const std::string next{first.at("next").as_string()};
    CHECK(sequences("/journal?limit=2&cursor=" + next) == Sequences{3, 2});
    CHECK(scene.get("/journal?severity=warn&cursor=" + next).status == 400);
    CHECK(scene.get("/journal?severity=bad").status == 400);
    CHECK(scene.get("/runs/run-none").status == 404);
}

TEST_CASE("the documents of the wire come with the program") {
    Swarms scene;
    const auto schema = scene.get("/control-plane/schema/control-events.schema.json");
    CHECK(schema.status == 200);
    CHECK(parsed(schema.body).is_object());
    CHECK(scene.get("/control-plane/schema/asyncapi.yaml").body.starts_with("asyncapi"));
    CHECK(scene.get("/control-plane/schema/nothing").status == 404);
}

TEST_CASE("a tap shows what passes a queue, holds so much, and ends") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    const auto everything = scene.declare_work("alpha");
    const std::string exchange = wire::work_exchange(alpha);
    const std::string queue = wire::work_queue(alpha, QueueName::parse("raw").value());
    CHECK(scene.post("/swarms/alpha/taps", R"({"queue":"none"})").status == 404);
    CHECK(scene.post("/swarms/alpha/taps", "{}").status == 400);
    const auto opened =
        scene.post("/swarms/alpha/taps", R"({"role":"processor","direction":"in","max":2})");
    REQUIRE_MESSAGE(opened.status == 201, opened.body);
    const std::string path = "/taps/" + std::string{parsed(opened.body).at("id").as_string()};

    auto sender = everything->work().open_sender({});
    REQUIRE(sender);
    std::vector<wire::WorkItem> items(3);
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].trace_id = fmt::format("t{}", i);
        items[i].steps.push_back({.payload = fmt::format("payload {}", i), .by = {"gen", "gen-1"}});
    }
    REQUIRE((*sender)->send({exchange, queue}, items, 5s).value() == 3);
    REQUIRE((*sender)->flush(5s));
    json::array held;
    for (int tries = 0; held.size() < 2 && tries < 500; ++tries) {
        held = parsed(scene.get(path).body).at("items").as_array();
        if (held.size() < 2) std::this_thread::sleep_for(10ms);
    }
    REQUIRE(held.size() == 2);
    CHECK(to_text(held[1]).find("payload 2") != std::string::npos);
    CHECK(parsed(scene.post(path + "/drain").body).at("items").as_array().size() == 2);
    CHECK(parsed(scene.get(path).body).at("items").as_array().empty());
    CHECK(scene.hive.send("DELETE", "/api/v1" + path, scene.admin()).status == 204);
    CHECK(scene.get(path).status == 404);
}

TEST_CASE("the control plane is heard as events, and what is not of it is marked") {
    SystemClock clock;
    bus::memory::Hub broker{clock};
    const auto queen =
        broker.connect(bus::Grants::orchestrator(InstanceId::parse("queen").value()));
    api::EventHub hub;
    rest::SwarmFeed feed{clock, 25s};
    feed.attach(hub);
    const auto mirror = rest::ControlMirror::start(
        *queen, [&](std::string_view key, std::string_view body) { feed.control(key, body); });
    REQUIRE_MESSAGE(mirror, mirror.error().detail);
    const auto everything = broker.connect(bus::Grants::everything());
    const std::string key = "event.metric.status-delta.alpha.swarm-controller.alpha-marshal";
    for (const auto& [routing_key, body] :
         {std::pair{key, std::string{"{}"}}, std::pair{key, std::string{"no json"}}}) {
        REQUIRE(everything->control().publish({routing_key, body}, bus::Persistence::transient));
    }
    for (int tries = 0; hub.last() < 2 && tries < 1000; ++tries) std::this_thread::sleep_for(5ms);
    const auto heard = hub.since(0, 10).events;
    REQUIRE(heard.size() == 2);
    CHECK(heard[0]->topic == "control." + key);
    CHECK(heard[1]->topic == "control.malformed");
    feed.changed(*report("alpha"));
    CHECK(hub.since(2, 10).events.at(0)->topic == "swarm.state.alpha");
    feed.detach();
    feed.changed(*report("alpha"));
    CHECK(hub.last() == 3);
}

TEST_CASE("who may only read sees swarms and changes none") {
    Swarms scene;
    scene.court.reports = {report("alpha")};
    const std::string reader = scene.hive.key_for(accounts::Role::readonly);
    for (const auto& route : scene.hive.server->routes().routes()) {
        if (route.tag != "swarms" && route.tag != "taps" && route.tag != "journal") continue;
        CAPTURE(route.id);
        const bool reads = route.method == http::Method::get && route.tag != "taps";
        CHECK(route.access.admits(accounts::Role::readonly) == reads);
    }
    CHECK(scene.hive.get("/api/v1/swarms", reader).status == 200);
    CHECK(scene.hive.send("POST", "/api/v1/swarms/alpha/start", reader).status == 403);
    CHECK(scene.court.asks.empty());
}
