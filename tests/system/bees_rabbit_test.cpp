// What only a real broker shows: dead letters with their reasons, and taps.
#include "api/rest/tap_desk.hpp"
#include "bus/dead_letter.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/swarm_scene.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <future>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

RabbitServer& broker() {
    static RabbitServer server;
    return server;
}

void run(SwarmScene& scene, std::string_view text) {
    const auto created = scene.create("alpha", parse_json(text).value().as_object());
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
}

void finish(SwarmScene& scene) {
    CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
}

// Refuses the item whose payload is 3, whatever it is asked how often.
constexpr std::string_view picky = R"({"bees":[{"id":"mod","role":"moderator",
    "work":{"in":{"in":"in"},"out":{"out":"out"}},
    "config":{"inputs":{"rabbit":{"maxAttempts":2}},
        "interceptors":{"templating":{"template":"{{ 1 / (payload - 3) }}"}}}}]})";

class Desk {
public:
    Desk(SwarmScene& scene, const Clock& clock)
        : connection_{scene.host()
                          .connect(
                              bus::Grants::orchestrator(InstanceId::parse("queen").value()), "taps")
                          .value()},
          desk_{*connection_, clock} {}

    json::object open(Duration ttl) {
        return ask([&](auto answered) {
                   desk_.open(
                       {.swarm = swarm_id("alpha"),
                        .role = Role::parse("echo").value(),
                        .queue = QueueName::parse("out").value(),
                        .max = 5,
                        .ttl = ttl},
                       std::move(answered));
               })
            .value();
    }
    Result<json::object> peek(const std::string& id) {
        return ask([&](auto answered) { desk_.peek(id, std::move(answered)); });
    }
    Result<json::object> close(const std::string& id) {
        return ask([&](auto answered) { desk_.close(id, std::move(answered)); });
    }

private:
    template <class Call>
    static Result<json::object> ask(Call call) {
        std::promise<Result<json::object>> told;
        call([&](Result<json::object> answer) { told.set_value(std::move(answer)); });
        return told.get_future().get();
    }

    std::unique_ptr<bus::Connection> connection_;
    rest::TapDesk desk_;
};

std::string id_of(const json::object& tap) {
    return std::string{tap.at("id").as_string()};
}

std::string queue_of(const json::object& tap) {
    return "ph.debug.alpha.echo." + id_of(tap).substr(std::string_view{"tap-"}.size());
}

// Somebody else's exclusive queue cannot be looked at while it is there.
bool is_gone(SwarmScene& scene, const std::string& queue) {
    const auto stats = scene.outside().topology().inspect(queue);
    return !stats && stats.error().code == Errc::not_found;
}

} // namespace

TEST_SUITE("bees on RabbitMQ") {
    TEST_CASE("an item that fails ends in the dead letters with its reason, and is counted") {
        SwarmScene scene{{.broker = broker().url()}};
        run(scene, picky);
        scene.send("ph.work.alpha.in", 5);
        CHECK(scene.take("ph.work.alpha.out", 4).size() == 4);
        const auto dead = scene.take("ph.work.alpha.in.dead", 1);
        REQUIRE(dead.size() == 1);
        CHECK(dead[0].trace_id == "3");
        CHECK(dead[0].headers.text(bus::error_header).find("zero") != std::string::npos);
        CHECK(dead[0].headers.find(bus::attempts_header)->str() == "2");
        CHECK(scene.eventually([&] {
            const auto said = scene.spy().work_of("alpha-moderator-1");
            return said.contains("deadLetters") && said.at("deadLetters") == 1;
        }));
        CHECK(scene.spy().work_of("alpha-moderator-1").contains("lastError"));
        CHECK(scene.spy().alerts("worker.items-failing").size() == 1);
        finish(scene);
    }

    TEST_CASE("a tap is its owner's alone, holds so much, and is gone at its time") {
        SwarmScene scene{{.broker = broker().url()}};
        run(scene, R"({"bees":[{"id":"gen","role":"echo","work":{"out":{"out":"out"}},
            "config":{"inputs":{"scheduler":{"ratePerSec":200}},"text":"tick"}}]})");
        const SystemClock clock;
        std::string left; // open when the desk goes
        {
            Desk desk{scene, clock};
            const auto tap = desk.open(1min);
            REQUIRE(scene.eventually(
                [&] { return desk.peek(id_of(tap)).value().at("items").as_array().size() == 5; }));
            // Exclusive: nobody else may read it.
            const auto other = scene.outside().work().open_receiver({.queue = queue_of(tap)});
            CHECK_FALSE(other);
            REQUIRE(desk.close(id_of(tap)));
            CHECK(scene.eventually([&] { return is_gone(scene, queue_of(tap)); }));

            const auto brief = desk.open(1s);
            CHECK(scene.eventually([&] { return !desk.peek(id_of(brief)); }));
            CHECK(scene.eventually([&] { return is_gone(scene, queue_of(brief)); }));
            left = queue_of(desk.open(1min));
        }
        // A desk that goes takes its taps with it, and the swarm has not noticed any of them.
        CHECK(scene.eventually([&] { return is_gone(scene, left); }));
        CHECK(scene.aggregate("alpha").at("health") == "Healthy");
        finish(scene);
    }
}
