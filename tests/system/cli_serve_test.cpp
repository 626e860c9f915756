#include "tests/support/rabbit_server.hpp"
#include "tests/system/cli_hive.hpp"
#include "web/curl/curl_client.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// One sentence, no more, and what to do is in it.
void check_refused(const Outcome& run, int exit_code, std::string_view part) {
    CHECK(run.exit_code == exit_code);
    CHECK_MESSAGE(contains(run.err, part), run.err);
    CHECK(run.err.starts_with("error: "));
    CHECK(run.out.empty());
}

} // namespace

TEST_CASE("a server that cannot start says why in one sentence and leaves") {
    const RunningHive hive;
    const ScratchDirectory scratch;
    const std::string port = hive.url.substr(hive.url.rfind(':') + 1);
    const std::string data = scratch.path("data");
    check_refused(
        run_hive({"up", "--port", port, "--data", data}), 3,
        "in use by another program; stop that or listen elsewhere");
    check_refused(
        run_hive({"up", "--port", "0", "--data", hive.data()}), 3, "is in use by process");
    const std::string file = scratch.write("file", "");
    check_refused(run_hive({"up", "--port", "0", "--data", file}), 3, file);
    check_refused(
        run_hive({"serve", "--port", "0", "--data", data, "--store", "postgres://127.0.0.1:1/x"}),
        3, "127.0.0.1");
    check_refused(
        run_hive({"serve", "--port", "0", "--data", data, "--broker", "amqp://127.0.0.1:1"}), 3,
        "127.0.0.1:1");
}

TEST_CASE("a hive whose broker is away is not ready, says why, and is again when it is back") {
    RabbitServer broker;
    const RunningHive hive{{"--broker", broker.url()}};
    const auto web = web::curl::CurlClient::open({}).value();
    // The answer of /readyz once it has this status, whichever comes first: it or the deadline.
    const auto await_ready = [&](unsigned status) {
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        for (;;) {
            auto answer = web::send_and_wait(*web, {.url = hive.url + "/readyz", .within = 10s});
            REQUIRE_MESSAGE(answer, answer.error().detail);
            if (answer->status == status) return object_in(answer->body);
            REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, answer->body);
            std::this_thread::sleep_for(50ms);
        }
    };
    CHECK(await_ready(200).at("components").at("broker").at("status") == "UP");
    broker.stop();
    const auto away = await_ready(503);
    CHECK(contains(to_text(away.at("components").at("broker")), "the broker is away"));
    CHECK(away.at("components").at("store").at("status") == "UP");
    broker.start();
    await_ready(200);
}

TEST_CASE("a server does not listen beyond this machine without TLS, unless told to") {
    const ScratchDirectory scratch;
    const std::string data = scratch.path("data");
    check_refused(run_hive({"up", "--port", "0", "--listen", "0.0.0.0", "--data", data}), 3, "TLS");
    check_refused(
        run_hive({"up", "--port", "0", "--data", data, "--http-certificate", "/none"}), 2,
        "http.private-key");
    check_refused(
        run_hive(
            {"up", "--port", "0", "--data", data, "--http-certificate", "/none",
             "--http-private-key", "/none"}),
        2, "/none");
}

TEST_CASE("a provider that is set up wrongly is refused before the server starts") {
    const ScratchDirectory scratch;
    check_refused(
        run_hive(
            {"up", "--port", "0", "--data", scratch.path("data"), "--auth-oidc-client-id", "hive"}),
        2, "auth.oidc");
}

TEST_CASE("with a certificate the server speaks TLS, and loads a new one when it is told to") {
    const ScratchDirectory scratch;
    const auto run = run_shell("set -e; cd " + scratch.path() + R"sh(
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem \
        -out cert.pem -days 1 -subj "/CN=$1" -addext subjectAltName=IP:127.0.0.1 2>/dev/null
}
subject() {
    openssl s_client -connect "$1" </dev/null 2>/dev/null | sed -n 's/^subject=.*CN = //p'
}
certificate first
"$HIVE" serve --port 0 --data data --json --log-level error --http-certificate cert.pem \
    --http-private-key key.pem >told &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 200); do [ -s told ] && break; sleep 0.05; done
address=$(sed -n 's/.*"url":"https:\/\/\([^"]*\)".*/\1/p' told)
subject "$address"
certificate second
kill -HUP $server
for _ in $(seq 100); do [ "$(subject "$address")" = second ] && break; sleep 0.05; done
subject "$address"
echo rubbish >cert.pem
kill -HUP $server
sleep 0.2
subject "$address"
)sh");
    CHECK_MESSAGE(run.out == "first\nsecond\nsecond\n", run.out, run.err);
}

TEST_CASE("a demo runs until the hive is stopped, and begins anew where one was killed") {
    RunningHive hive{{"--demo"}};
    const auto phase = [&] { return text_of(hive.ask({"swarm", "show", "demo"}), "phase"); };
    CHECK(phase() == "Running");
    CHECK(hive.ask({"task", "list", "--tag", "demo"}).at("items").as_array().size() == 3);
    hive.kill();
    hive.start();
    CHECK(phase() == "Running");
    CHECK(hive.ask({"task", "list", "--tag", "demo"}).at("items").as_array().size() == 3);
    hive.stop();
    CHECK(hive.run_local({"store", "check"}).exit_code == 0);
}
