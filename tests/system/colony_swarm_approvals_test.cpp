// Swarm commands that wait for an approval. The court keeps wishes in a real store, as the queen
// does, and answers what it is told to.
#include "api/colony/colony_offer.hpp"
#include "api/colony/swarm_courier.hpp"
#include "api/colony/swarm_gate.hpp"
#include "api/rest/run_book.hpp"
#include "api/rest/swarm_keeper.hpp"
#include "loop/loop.hpp"
#include "tests/system/colony_scene.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <chrono>
#include <functional>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

const std::string approvals = "/api/v1/approvals";

bool eventually(const std::function<bool()>& true_now) {
    for (int i = 0; i < 600; ++i) {
        if (true_now()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

const json::object plan_text{
    {"swarm", {{{"stepId", "s1"}, {"time", "PT10S"}, {"type", "stop"}, {"name", "all quiet"}}}},
    {"bees",
     {{{"role", "generator"},
       {"steps",
        {{{"stepId", "g1"},
          {"time", "PT5S"},
          {"type", "config-update"},
          {"config", {{"ratePerSec", 777}, {"password", "hunter2"}}}}}}}}}};

SwarmReportPtr with_plan(const std::string& id) {
    SwarmReport planned = *report(id, orchestrator::Phase::stopped, orchestrator::Wish::stopped);
    planned.swarm.plan = plan_text;
    return std::make_shared<const SwarmReport>(std::move(planned));
}

class SwarmColony {
public:
    SwarmColony() {
        court.reports = {
            report("alpha", orchestrator::Phase::stopped, orchestrator::Wish::stopped),
            with_plan("alma")};
        colony.court = &court;
        HiveUnderTest::Setting setting;
        setting.offer = [this](rest::HiveParts& parts) { offer(parts); };
        hive = std::make_unique<HiveUnderTest>(std::move(setting));
        keeper = std::make_unique<rest::SwarmKeeper>(
            rest::KeeperOptions{.life = "life-1"},
            rest::KeeperParts{
                .database = *hive->database,
                .hive = hive->hive,
                .clock = clock,
                .loop = loop,
                .log = Logger{hive->log, clock, hive->levels, "test"}});
        court.keep = [this](orchestrator::RiderPtr rider, std::function<void(Status)> answered) {
            keeper->keep({.riders = {std::move(rider)}}, std::move(answered));
        };
    }
    ~SwarmColony() { hive->server->shut_down(1s); }

    std::string key(const std::string& id, accounts::Role role) {
        return HiveUnderTest::bearer(hive->key_text({.id = {}, .owner = id, .role = role}));
    }
    json::value post(
        const std::string& who, const std::string& path, const json::value& body, unsigned status) {
        const auto answer =
            hive->send("POST", path, who, body.is_null() ? std::string{} : to_text(body));
        REQUIRE_MESSAGE(answer.status == status, path, " ", answer.body);
        return parsed(answer.body);
    }
    void add_rule(const std::string& act) {
        post(
            admin, "/api/v1/approval-rules",
            json::object{
                {"name", "two people"},
                {"match", {{"acts", {act}}, {"swarms", {"al*"}}}},
                {"stages", {{{"roles", {"human"}}, {"within", "1h"}}}}},
            201);
    }
    json::value look(const std::string& approval) {
        return parsed(hive->get(approvals + "/" + approval, admin).body);
    }
    std::size_t asked() { return court.asked_so_far().size(); }

    SystemClock clock;
    ScriptedCourt court;
    bus::memory::Hub broker{clock};
    std::unique_ptr<bus::Connection> bus =
        broker.connect(bus::Grants::orchestrator(InstanceId::parse("queen").value()));
    rest::TapDesk taps{*bus, clock};
    rest::RunBook book{clock, "orchestrator:queen", [](const orchestrator::JournalEntry&) {}};
    loop::Loop loop{1};
    rest::ColonyParts colony;
    rest::SwarmGate gate{colony};
    std::unique_ptr<HiveUnderTest> hive;
    std::unique_ptr<rest::SwarmKeeper> keeper;
    // Made when the hive is there.
    std::string admin, alice, bob;
    void let_in() {
        admin = key("root", accounts::Role::admin);
        alice = key("alice", accounts::Role::human);
        bob = key("bob", accounts::Role::human);
    }

private:
    void offer(rest::HiveParts& parts) {
        const auto main = HiveId::parse("main").value();
        rest::offer_colony(main, colony, parts);
        parts.more.push_back(rest::swarm_routes({court, taps, book, rest::template_order, &gate}));
        const auto courier = std::make_shared<rest::SwarmCourier>(court, clock, main);
        parts.chores.push_back(rest::SwarmCourier::chore(courier, colony));
    }
};

} // namespace

TEST_CASE("a start waits for another person, goes out once when approved, and is recorded") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.start");
    scene.post(scene.bob, "/api/v1/swarms/alpha/stop", {}, 202); // no rule about stopping
    CHECK(scene.asked() == 1);
    const auto waits = scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202);
    const std::string id = text_at(waits, "/approval");
    CHECK(scene.asked() == 1);
    CHECK(text_at(scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202), "/approval") == id);
    const std::string decision = approvals + "/" + id + "/decision";
    const json::object yes{{"verdict", "approve"}};
    CHECK(text_at(scene.post(scene.bob, decision, yes, 403), "/code") == "own-request");
    scene.post(scene.alice, decision, yes, 200);
    CHECK(eventually([&] { return text_at(scene.look(id), "/carry") == "done"; }));
    REQUIRE(scene.asked() == 2);
    const auto ask = scene.court.asked_so_far().back();
    const auto& wish = std::get<orchestrator::WishAsked>(ask);
    CHECK(wish.wish == orchestrator::Wish::running);
    CHECK(wish.who == "human:bob");
    CHECK(wish.attempt.idempotency_key == id + ".1");
    const auto entry = scene.hive->await_audit("swarm.started");
    CHECK(entry.actor == "human:bob");
    CHECK(entry.disclosure->details.find(id) != std::string::npos);
    std::this_thread::sleep_for(600ms); // two more rounds of the courier
    CHECK(scene.asked() == 2);
    // What was approved was that one start.
    scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202);
    CHECK(scene.asked() == 2);
}

TEST_CASE("a creation that also starts waits as a whole, and a denied one never comes") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.start");
    const json::object body{
        {"id", "alfred"}, {"template", parsed(template_text)}, {"autoStart", true}};
    const auto waits = scene.post(scene.bob, "/api/v1/swarms", body, 202);
    const std::string id = text_at(waits, "/approval");
    CHECK(scene.asked() == 0);
    scene.post(scene.alice, approvals + "/" + id + "/decision", {{"verdict", "approve"}}, 200);
    CHECK(eventually([&] { return text_at(scene.look(id), "/carry") == "done"; }));
    const auto asks = scene.court.asked_so_far();
    REQUIRE(asks.size() == 2);
    CHECK(std::get<orchestrator::CreateAsked>(asks[0]).text.contains("bees"));
    CHECK(std::get<orchestrator::WishAsked>(asks[1]).wish == orchestrator::Wish::running);

    const auto other = scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202);
    const std::string denied = text_at(other, "/approval");
    scene.post(scene.alice, approvals + "/" + denied + "/decision", {{"verdict", "deny"}}, 200);
    std::this_thread::sleep_for(600ms);
    CHECK(scene.asked() == 2);
    CHECK(text_at(scene.look(denied), "/carry") == "nothing");
}

TEST_CASE("a command that the orchestrator refuses is noted as refused, with its reason") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.*");
    const auto waits = scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202);
    const std::string id = text_at(waits, "/approval");
    {
        const std::lock_guard lock{scene.court.mutex};
        scene.court.answer = fail(Errc::conflict, "the swarm is being removed");
    }
    scene.post(scene.alice, approvals + "/" + id + "/decision", {{"verdict", "approve"}}, 200);
    CHECK(eventually([&] { return text_at(scene.look(id), "/carry") == "refused"; }));
    CHECK(text_at(scene.look(id), "/carryNote") == "the swarm is being removed");
    CHECK(scene.asked() == 1);
}

TEST_CASE("a patch with a secret is shown without it to those who decide, and sent with it") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.config");
    const json::object patch{{"worker", {{"password", "hunter2"}, {"ratePerSec", 5}}}};
    const auto waits = scene.post(scene.bob, "/api/v1/swarms/alpha/config", patch, 202);
    const std::string id = text_at(waits, "/approval");
    const auto shown = scene.look(id);
    CHECK(to_text(shown).find("hunter2") == std::string::npos);
    CHECK(to_text(shown).find("ratePerSec") != std::string::npos);
    scene.post(scene.alice, approvals + "/" + id + "/decision", {{"verdict", "approve"}}, 200);
    CHECK(eventually([&] { return text_at(scene.look(id), "/carry") == "done"; }));
    const auto ask = scene.court.asked_so_far().back();
    CHECK(std::get<orchestrator::ConfigAsked>(ask).patch == patch);
    const auto log = scene.hive->get("/api/v1/audit?limit=100", scene.admin);
    CHECK(log.body.find("hunter2") == std::string::npos);
}

TEST_CASE(
    "who decides about a start sees what the plan of the swarm will do, without its secrets") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.start");
    const auto waits = scene.post(scene.bob, "/api/v1/swarms/alma/start", {}, 202);
    const std::string id = text_at(waits, "/approval");
    const auto shown = scene.look(id);
    const std::string steps = "/evidence/0/value/plan/steps";
    CHECK(text_at(shown, steps + "/0/at") == "5s");
    CHECK(text_at(shown, steps + "/0/to").find("generator") != std::string::npos);
    CHECK(text_at(shown, steps + "/0/does") == "config-update");
    CHECK(to_text(shown).find("777") != std::string::npos);
    CHECK(to_text(shown).find("hunter2") == std::string::npos);
    CHECK(text_at(shown, steps + "/1/does") == "stop");
    CHECK(text_at(shown, steps + "/1/name") == "all quiet");
    // A swarm that is made and started in one go brings its plan along.
    const json::object body{
        {"id", "alto"},
        {"template", parsed(template_text)},
        {"plan", plan_text},
        {"autoStart", true}};
    const auto other = scene.post(scene.bob, "/api/v1/swarms", body, 202);
    CHECK(text_at(scene.look(text_at(other, "/approval")), steps + "/1/does") == "stop");
    CHECK(scene.asked() == 0);
}

TEST_CASE("a rule about what a plan does holds back the start of its swarm, once") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.config");
    scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202); // it has no plan
    CHECK(scene.asked() == 1);
    const auto waits = scene.post(scene.bob, "/api/v1/swarms/alma/start", {}, 202);
    const std::string id = text_at(waits, "/approval");
    CHECK(scene.asked() == 1);
    CHECK(text_at(scene.post(scene.bob, "/api/v1/swarms/alma/start", {}, 202), "/approval") == id);
    const auto shown = scene.look(id);
    CHECK(text_at(shown, "/subject") == "swarm.config alma: by the plan of its start");
    CHECK(text_at(shown, "/evidence/0/value/plan/steps/0/does") == "config-update");
    // A change by hand is another matter.
    const json::object patch{{"worker", {{"ratePerSec", 5}}}};
    const auto by_hand = scene.post(scene.bob, "/api/v1/swarms/alma/config", patch, 202);
    CHECK(text_at(by_hand, "/approval") != id);
    scene.post(scene.alice, approvals + "/" + id + "/decision", {{"verdict", "approve"}}, 200);
    CHECK(eventually([&] { return text_at(scene.look(id), "/carry") == "done"; }));
    const auto ask = scene.court.asked_so_far().back();
    CHECK(std::get<orchestrator::WishAsked>(ask).wish == orchestrator::Wish::running);
}

TEST_CASE("a plan that does what a rule forbids cannot be started") {
    SwarmColony scene;
    scene.let_in();
    scene.post(
        scene.admin, "/api/v1/approval-rules",
        json::object{
            {"name", "nobody stops it"},
            {"effect", "deny"},
            {"match", {{"acts", {"swarm.stop"}}, {"swarms", {"al*"}}}}},
        201);
    const auto refused = scene.post(scene.bob, "/api/v1/swarms/alma/start", {}, 403);
    CHECK(text_at(refused, "/detail").find("nobody stops it") != std::string::npos);
    scene.post(scene.bob, "/api/v1/swarms/alpha/start", {}, 202); // without a plan
    CHECK(scene.asked() == 1);
}

TEST_CASE("two patches of one person are two requests, and the same one twice is one") {
    SwarmColony scene;
    scene.let_in();
    scene.add_rule("swarm.config");
    const auto asked_for = [&](int rate) {
        const json::object patch{{"worker", {{"ratePerSec", rate}}}};
        return text_at(
            scene.post(scene.bob, "/api/v1/swarms/alpha/config", patch, 202), "/approval");
    };
    const std::string first = asked_for(5);
    CHECK(asked_for(5) == first);
    CHECK(asked_for(50) != first);
}
