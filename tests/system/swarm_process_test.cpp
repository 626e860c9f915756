#include "tests/support/rabbit_server.hpp"
#include "tests/system/swarm_lifecycle.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::tests;
using orchestrator::Phase;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

const controller::Settings heartbeats = quick_heartbeats().components.marshal;
const Duration said_every = quick_heartbeats().components.bee.delta_every;
constexpr Duration controller_tick = std::chrono::seconds{1};
constexpr Duration margin = std::chrono::seconds{4}; // for a machine that others share

// One broker for all cases; each has swarms of other names or removes its own.
RabbitServer& broker() {
    static RabbitServer server;
    return server;
}

std::optional<pid_t> find_pid(SwarmScene& scene, const std::string& instance) {
    for (const auto& one : scene.running()) {
        if (one.name.instance.text() == instance) return one.pid;
    }
    return std::nullopt;
}

pid_t pid_of(SwarmScene& scene, const std::string& instance) {
    const auto pid = find_pid(scene, instance);
    REQUIRE_MESSAGE(pid, instance << " does not run");
    return *pid;
}

bool is_running(SwarmScene& scene, const std::string& instance) {
    return find_pid(scene, instance).has_value();
}

// Looked at once: what has just been killed may be listed at one look and gone at the next.
bool runs_again(SwarmScene& scene, const std::string& instance, pid_t before) {
    const auto pid = find_pid(scene, instance);
    return pid && *pid != before;
}

std::string health_of(SwarmScene& scene, const std::string& swarm) {
    const auto report = scene.queen().find(swarm_id(swarm));
    return report && report->swarm.observed ? report->swarm.observed->health : "";
}

void run_chain(SwarmScene& scene, const json::object& text = chain_of(3)) {
    const auto created = scene.create("alpha", text);
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
}

void check_flow(SwarmScene& scene) {
    scene.send("ph.work.alpha.in", 20);
    CHECK(scene.take("ph.work.alpha.out", 20).size() == 20);
}

void finish(SwarmScene& scene) {
    CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    CHECK(scene.reaches("alpha", Phase::removed));
    CHECK(scene.running().empty());
    CHECK(!scene.is_there("ph.work.alpha.in"));
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
}

} // namespace

TEST_SUITE("swarms as processes on RabbitMQ") {
    TEST_CASE("a swarm lives from create to remove") {
        SwarmScene scene{{.broker = broker().url()}};
        lives_from_create_to_remove(scene);
    }
    TEST_CASE("a remove right after a create wins") {
        SwarmScene scene{{.broker = broker().url()}};
        remove_wins_over_create(scene);
    }
    TEST_CASE("a configuration that a bee refuses changes nothing") {
        SwarmScene scene{{.broker = broker().url()}};
        bad_config_is_refused(scene);
    }
    TEST_CASE("a role that nobody knows fails the creation and says so") {
        SwarmScene scene{{.broker = broker().url()}};
        unknown_role_fails_the_creation(scene);
    }

    TEST_CASE("what a scenario says for the environment of a bee is in that of its process") {
        SwarmScene scene{{.broker = broker().url()}};
        json::object text = chain_of(1);
        text.at("bees").as_array().at(0).as_object()["env"] = {{"REGION", "north=1"}};
        run_chain(scene, text);
        std::string bee;
        for (const auto& one : scene.running()) {
            if (!one.name.is_controller()) bee = one.name.instance.text();
        }
        std::ifstream file{"/proc/" + std::to_string(pid_of(scene, bee)) + "/environ"};
        const std::string environment{std::istreambuf_iterator<char>{file}, {}};
        const std::string wanted{"\0REGION=north=1\0", 16};
        CHECK(('\0' + environment).find(wanted) != std::string::npos);
        CHECK(environment.find("POCKETHIVE_CONTROL_PLANE_ROLE=") != std::string::npos);
        finish(scene);
    }

    TEST_CASE("a bee that is killed is reported and stays gone for inspection") {
        SwarmScene scene{{.broker = broker().url()}};
        run_chain(scene);
        ::kill(pid_of(scene, "alpha-echo-2"), SIGKILL);
        CHECK(scene.eventually([&] { return health_of(scene, "alpha") == "Degraded"; }));
        CHECK(scene.eventually([&] {
            return !scene.spy().alerts(std::string{wire::alert_code::worker_runtime_error}).empty();
        }));
        const auto alert =
            scene.spy().alerts(std::string{wire::alert_code::worker_runtime_error}).front();
        const auto& message = std::get<wire::Alert>(alert.body).message;
        CHECK_MESSAGE(message.find("SIGKILL") != std::string::npos, message);
        CHECK(!is_running(scene, "alpha-echo-2"));
        // Nothing was deleted: what it did not take waits.
        scene.send("ph.work.alpha.in", 5);
        CHECK(scene.eventually([&] {
            return scene.outside().topology().inspect("ph.work.alpha.q1").value().depth == 5;
        }));
        finish(scene);
    }

    TEST_CASE("a bee that falls silent is stale, and well again when it speaks") {
        SwarmScene scene{{.broker = broker().url()}};
        run_chain(scene);
        const pid_t bee = pid_of(scene, "alpha-echo-2");
        const auto stopped = SystemClock{}.wall();
        ::kill(bee, SIGSTOP);
        CHECK(scene.eventually([&] { return health_of(scene, "alpha") == "Degraded"; }));
        CHECK(scene.eventually([&] { return scene.spy().alerts("worker.stale").size() == 1; }));
        // Its last word may have been right before; then it is asked, and asked in vain. Each of
        // the two is noticed with a tick of the controller.
        const auto reported = scene.spy().alerts("worker.stale").front().sender.at - stopped;
        const auto bound = heartbeats.silent_after + heartbeats.stale_after + 2 * controller_tick;
        CHECK(reported <= bound + margin);
        CHECK(reported >= heartbeats.silent_after + heartbeats.stale_after - said_every - margin);
        ::kill(bee, SIGCONT);
        CHECK(scene.eventually([&] { return health_of(scene, "alpha") == "Healthy"; }));
        CHECK(scene.eventually([&] { return scene.spy().alerts("worker.recovered").size() == 1; }));
        CHECK(scene.spy().alerts("worker.stale").size() == 1); // once per episode
        check_flow(scene);
        finish(scene);
    }

    TEST_CASE("a bee with a restart policy comes back and goes on") {
        SwarmScene scene{{.broker = broker().url()}};
        json::object text = chain_of(3);
        text["bees"].as_array()[1].as_object()["restart"] = {
            {"policy", "on-failure"}, {"backoff", "100ms"}, {"max", 3}};
        run_chain(scene, text);
        const pid_t first = pid_of(scene, "alpha-echo-2");
        ::kill(first, SIGKILL);
        CHECK(scene.eventually([&] { return runs_again(scene, "alpha-echo-2", first); }));
        CHECK(scene.eventually([&] { return health_of(scene, "alpha") == "Healthy"; }));
        check_flow(scene);
        finish(scene);
    }

    TEST_CASE("a marshal that is killed is launched again and takes over its bees") {
        SwarmScene scene{{.broker = broker().url()}};
        run_chain(scene);
        const pid_t bee = pid_of(scene, "alpha-echo-1");
        const pid_t marshal = pid_of(scene, "alpha-marshal");
        ::kill(marshal, SIGKILL);
        CHECK(scene.eventually([&] { return runs_again(scene, "alpha-marshal", marshal); }));
        CHECK(scene.eventually([&] {
            return scene.phase("alpha") == Phase::running && health_of(scene, "alpha") == "Healthy";
        }));
        CHECK(pid_of(scene, "alpha-echo-1") == bee);
        check_flow(scene);
        finish(scene);
    }

    TEST_CASE("a queen that comes back adopts what lives") {
        SwarmScene scene{{.broker = broker().url()}};
        run_chain(scene);
        const pid_t bee = pid_of(scene, "alpha-echo-1");
        const pid_t marshal = pid_of(scene, "alpha-marshal");
        scene.restart();
        CHECK(scene.reaches("alpha", Phase::running));
        CHECK(pid_of(scene, "alpha-echo-1") == bee);
        CHECK(pid_of(scene, "alpha-marshal") == marshal);
        check_flow(scene);
        CHECK(scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
        finish(scene);
    }

    TEST_CASE("a broker that restarts mid-run costs nothing that was confirmed") {
        SwarmScene scene{{.broker = broker().url()}};
        run_chain(scene);
        scene.send("ph.work.alpha.in", 200);
        broker().stop();
        broker().start();
        REQUIRE(scene.eventually([&] { return scene.connected(); }));
        // At least once: some may come twice.
        std::set<std::string> seen;
        auto receiver =
            scene.outside().work().open_receiver({.queue = "ph.work.alpha.out"}).value();
        CHECK(scene.eventually([&] {
            const auto some = receiver->receive(64, std::chrono::milliseconds{200});
            REQUIRE(some);
            for (const auto& delivered : *some) {
                seen.insert(delivered.item.trace_id);
                REQUIRE(receiver->ack(std::array{delivered.tag}));
            }
            return seen.size() == 200;
        }));
        receiver.reset();
        CHECK(scene.eventually([&] { return health_of(scene, "alpha") == "Healthy"; }));
        const std::size_t heard = scene.spy().heard();
        CHECK(scene.wish("alpha", Wish::stopped).status == OutcomeStatus::stopped);
        CHECK(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
        CHECK(scene.eventually([&] { return scene.spy().heard() > heard; }));
        finish(scene); // every message since the beginning is sound
    }
}
