#include "tests/system/bees_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>

using namespace hive;
using namespace hive::tests;

namespace {

std::string trigger(const std::string& config) {
    return fmt::format(
        R"({{"bees":[{{"id":"t","role":"trigger","work":{{"out":{{"out":"out"}}}},
            "config":{}}}]}})",
        config);
}

int number_in(SwarmScene& scene, const char* name) {
    const auto work = scene.spy().work_of("alpha-trigger-1");
    return work.contains(name) ? work.at(name).to_number<int>() : -1;
}

} // namespace

TEST_SUITE("triggers") {
    TEST_CASE("a call at each interval, its answer goes on; a failed one is counted") {
        std::atomic<int> calls{0};
        test::WebServer server{[&](const http::Request& request) -> http::Response {
            const int number = ++calls;
            if (number == 2) return test::text_answer("no", 503);
            return test::text_answer(fmt::format(
                "{} {} {} {}", request.method_text, request.target,
                request.header("x-seq").value_or("none"), request.body));
        }};
        SwarmScene scene;
        run(scene, "alpha",
            trigger(fmt::format(
                R"({{"intervalMs":20,"actionType":"rest","method":"POST",
                    "url":"{}/hook/{{{{ headers['x-ph-seq'] }}}}",
                    "headers":{{"x-seq":"{{{{ headers['x-ph-seq'] }}}}"}},"body":"go"}})",
                server.url(""))));
        const auto items = scene.take("ph.work.alpha.out", 4);
        REQUIRE(items.size() == 4);
        CHECK(items[0].payload().find("POST /hook/1 1 go") != std::string_view::npos);
        CHECK(items[1].steps.back().headers.find("x-ph-processor-success")->str() == "false");
        CHECK(items[3].payload().find("POST /hook/4 4 go") != std::string_view::npos);
        CHECK(scene.eventually([&] { return number_in(scene, "failedActions") == 1; }));
        CHECK(number_in(scene, "actions") >= 4);
    }
    TEST_CASE("once means once, and once more when it is told again") {
        std::atomic<int> calls{0};
        test::WebServer server{[&](const http::Request&) -> http::Response {
            return test::text_answer(std::to_string(++calls));
        }};
        SwarmScene scene;
        run(scene, "alpha",
            trigger(fmt::format(
                R"({{"intervalMs":20,"singleRequest":true,"actionType":"rest","url":"{}"}})",
                server.url())));
        REQUIRE(scene.take("ph.work.alpha.out", 1).size() == 1);
        REQUIRE(scene.eventually([&] { return number_in(scene, "actions") == 1; }));
        const wire::Scope bee{
            swarm_id("alpha"), Role::parse("trigger").value(),
            InstanceId::parse("alpha-trigger-1").value()};
        const auto apply = [&](const json::object& patch) {
            const auto ended = scene.configure(bee, patch);
            REQUIRE_MESSAGE(ended.status == wire::OutcomeStatus::applied, ended.reason);
        };
        CHECK(calls == 1);
        apply({{"singleRequest", false}, {"intervalMs", 3'600'000}});
        apply({{"singleRequest", true}});
        REQUIRE(scene.take("ph.work.alpha.out", 1).size() == 1);
        CHECK(calls == 2);
    }
    TEST_CASE("commands are refused unless the server allows them") {
        SwarmScene scene;
        const auto refused = scene.create(
            "alpha", scenario(trigger(R"({"actionType":"shell","command":"echo hello"})")));
        CHECK(refused.status != wire::OutcomeStatus::ready);
        CHECK_MESSAGE(
            refused.reason.find("swarm.allow-shell") != std::string::npos, refused.reason);
    }
    TEST_CASE("a command that is allowed runs, and what it said goes on") {
        SwarmScene scene{{.allow_shell = true}};
        run(scene, "alpha",
            trigger(R"({"intervalMs":20,"actionType":"shell","command":"echo hello; exit 3"})"));
        const auto items = scene.take("ph.work.alpha.out", 3);
        REQUIRE(items.size() == 3);
        const auto said = parse_json(items.front().payload()).value();
        CHECK(said.at("outcome").at("output").as_string() == "hello\n");
        CHECK(said.at("outcome").at("exitCode").to_number<int>() == 3);
        CHECK(items.front().steps.back().headers.text("x-ph-processor-error") == "exit-3");
        CHECK(scene.eventually([&] { return number_in(scene, "failedActions") >= 3; }));
    }
}
