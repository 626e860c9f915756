#include "tests/support/rabbit_server.hpp"
#include "tests/system/cli_hive.hpp"
#include "web/curl/curl_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* two_bees = R"({"id":"alpha","template":{"bees":[
    {"id":"a","role":"echo","work":{"in":{"in":"q1"},"out":{"out":"q2"}}},
    {"id":"b","role":"echo","work":{"in":{"in":"q2"},"out":{"out":"q3"}}}]}})";

// A server whose swarms are processes on a broker of our own.
class ProcessHive {
public:
    json::object call(const std::string& method, const std::string& path, std::string body = {}) {
        web::Request request{
            .method = method,
            .url = hive_.url + "/api/v1" + path,
            .headers = {{"Authorization", "Bearer " + hive_.key}},
            .within = 60s};
        if (!body.empty()) request.headers.push_back({"Content-Type", "application/json"});
        request.body = std::move(body);
        const auto answer = web::send_and_wait(*web_, std::move(request));
        REQUIRE_MESSAGE(answer, (answer ? "" : answer.error().detail));
        return object_in(answer->body);
    }

    std::string status_of(const json::object& answer) {
        const auto* status = answer.if_contains("status");
        return status != nullptr && status->is_string() ? text_of(answer, "status")
                                                        : to_text(answer);
    }

    bool eventually(const std::function<bool()>& holds) {
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        while (!holds()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            std::this_thread::sleep_for(50ms);
        }
        return true;
    }

    // Seen by the server that asks, not remembered from before.
    bool runs_well() {
        const auto swarm = call("GET", "/swarms/alpha");
        const auto* health = swarm.if_contains("health");
        return text_of(swarm, "phase") == "Running" && !swarm.at("stale").as_bool() &&
               health != nullptr && health->is_string() && health->as_string() == "Healthy";
    }

    int pid_of(const std::string& instance) {
        std::ifstream file{hive_.data() + "/run/alpha/" + instance + ".json"};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        const auto record = object_in(text);
        return static_cast<int>(record.at("pid").to_number<int>());
    }

    RunningHive& hive() { return hive_; }
    RabbitServer& broker() { return broker_; }

private:
    RabbitServer broker_;
    RunningHive hive_{{"--broker", broker_.url()}};
    std::unique_ptr<web::curl::CurlClient> web_ = web::curl::CurlClient::open({}).value();
};

} // namespace

TEST_SUITE("a server with swarms as processes") {
    TEST_CASE("a server that is killed finds its swarms again, and they never noticed") {
        ProcessHive hive;
        REQUIRE(hive.status_of(hive.call("POST", "/swarms?wait=30s", two_bees)) == "Ready");
        REQUIRE(hive.status_of(hive.call("POST", "/swarms/alpha/start?wait=30s")) == "Running");
        const int marshal = hive.pid_of("alpha-marshal");
        const int bee = hive.pid_of("alpha-echo-1");

        hive.hive().kill();
        CHECK(::kill(marshal, 0) == 0);
        CHECK(::kill(bee, 0) == 0);
        hive.hive().start();
        CHECK(hive.eventually([&] { return hive.runs_well(); }));
        CHECK(hive.pid_of("alpha-marshal") == marshal);
        CHECK(hive.pid_of("alpha-echo-1") == bee);

        // Killed together with what it runs: both come back, because that is what is wanted.
        hive.hive().kill();
        ::kill(marshal, SIGKILL);
        hive.hive().start();
        CHECK(hive.eventually([&] { return hive.runs_well(); }));
        CHECK(hive.pid_of("alpha-marshal") != marshal);
        CHECK(hive.pid_of("alpha-echo-1") == bee);

        CHECK(hive.status_of(hive.call("DELETE", "/swarms/alpha?wait=30s")) == "Removed");
        CHECK(hive.eventually([&] { return ::kill(bee, 0) != 0; }));
        CHECK(!std::filesystem::exists(hive.hive().data() + "/run/alpha"));
    }

    TEST_CASE("what was asked of a server that is killed ends in its next life") {
        ProcessHive hive;
        REQUIRE(hive.status_of(hive.call("POST", "/swarms?wait=30s", two_bees)) == "Ready");
        const auto started = hive.call("POST", "/swarms/alpha/start?wait=30s");
        REQUIRE(hive.status_of(started) == "Running");
        // A bee that does not answer keeps the config-update open until it does.
        const int bee = hive.pid_of("alpha-echo-1");
        ::kill(bee, SIGSTOP);
        const auto asked = hive.call(
            "POST", "/swarms/alpha/components/echo/alpha-echo-1/config", R"({"text":"!"})");
        const std::string command = "/commands/" + text_of(asked, "correlationId");
        REQUIRE(hive.call("GET", command).size() == 1); // under way
        hive.hive().kill();
        ::kill(bee, SIGCONT);
        hive.hive().start();
        CHECK(hive.status_of(hive.call("GET", command + "?wait=60s")) == "Applied");
        // And what ended before is still known.
        CHECK(
            hive.status_of(hive.call("GET", "/commands/" + text_of(started, "correlationId"))) ==
            "Running");
        CHECK(hive.call("GET", "/commands/nobody-asked-this").at("status").as_int64() == 404);
        CHECK(hive.status_of(hive.call("DELETE", "/swarms/alpha?wait=30s")) == "Removed");
    }

    TEST_CASE("a server that is stopped leaves its swarms running") {
        ProcessHive hive;
        REQUIRE(hive.status_of(hive.call("POST", "/swarms?wait=30s", two_bees)) == "Ready");
        const int bee = hive.pid_of("alpha-echo-1");
        hive.hive().stop();
        CHECK(::kill(bee, 0) == 0);
        const auto doctor = hive.hive().run_local({"doctor"});
        CHECK(contains(doctor.out, "alpha-echo-1"));
        hive.hive().start();
        CHECK(hive.status_of(hive.call("DELETE", "/swarms/alpha?wait=30s")) == "Removed");
        CHECK(hive.eventually([&] { return ::kill(bee, 0) != 0; }));
    }
}
