#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/run_scene.hpp"

#include <csignal>
#include <filesystem>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

TEST_SUITE("hive run") {
    TEST_CASE("a URL is called as often as was said, and the figures are those of the mock") {
        const RunScene scene{{.usual = {.delay = mock::Delay{.first = 5ms}, .error_ratio = {0.1}}}};
        const auto done =
            scene.run({scene.url("/x"), "--rate", "200", "--duration", "2s", "--json"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err);
        const auto summary = RunScene::summary_of(done);
        const mock::Record seen = scene.mock.server->record();
        CHECK(summary.load.planned == 400);
        CHECK(summary.load.sent == 400);
        CHECK(summary.requests.total == 400);
        CHECK(seen.requests == 400);
        CHECK(summary.requests.failed == seen.by_status.at(500));
        CHECK(summary.requests.by_status.at("200") == seen.by_status.at(200));
        CHECK(summary.duration_sec == 2);
        // Nobody can be faster than the mock, and what was due is never after what was sent.
        const auto delays = telemetry::latencies_of(seen.delay);
        CHECK(summary.latency_us.p50 >= delays.p50 * 0.99);
        CHECK(summary.latency_us.p99 >= delays.p99 * 0.99);
        CHECK(summary.latency_from_due_us.p50 >= summary.latency_us.p50);
        CHECK(summary.bees.size() == 4);
        CHECK(!summary.series.points.empty());
        CHECK(summary.process.cpu_sec > 0);
    }

    TEST_CASE("at most speed every connection is busy until the time is over") {
        const RunScene scene{{.usual = {.delay = mock::Delay{.first = 2ms}}}};
        const auto done = scene.run(
            {scene.url(), "--rate", "max", "--connections", "7", "--duration", "1s", "--json"});
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.requests.total == scene.mock.server->record().requests);
        CHECK(summary.requests.total > 50);
        CHECK(scene.mock.server->record().connections == 7);
        CHECK(summary.latency_from_due_us.max == 0); // nothing was ever due
    }

    TEST_CASE("what is asked for is what is sent") {
        const RunScene scene;
        const auto body = scene.files.write("body.json", R"({"n":1})");
        const auto done = scene.run(
            {scene.url("/a/{{ headers['x-ph-seq'] }}"), "--rate", "2", "--duration", "2s",
             "--header", "X-Kind: test", "--body", "@" + body, "--json"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err);
        CHECK(scene.mock.server->record().requests == 4);
        CHECK(RunScene::summary_of(done).bytes.sent > 4 * 60); // more than a bare GET
    }

    TEST_CASE("thresholds decide the exit code and are in every file") {
        const RunScene scene;
        const auto summary = scene.files.path("s.json");
        const auto page = scene.files.path("r.html");
        const auto tests = scene.files.path("j.xml");
        const auto done = scene.run(
            {scene.url(), "--rate", "50", "--duration", "1s", "--threshold", "error_rate < 1%",
             "--threshold", "rate > 1000/s", "--summary", summary, "--report", page, "--junit",
             tests});
        CHECK(done.exit_code == 1);
        CHECK(done.out.find("rate > 1000/s") != std::string::npos);
        const auto written =
            telemetry::summary_from_json(parse_json(RunScene::text_of(summary)).value());
        REQUIRE(written.has_value());
        REQUIRE(written->thresholds.size() == 2);
        CHECK(written->thresholds[0].ok);
        CHECK(!written->thresholds[1].ok);
        CHECK(RunScene::text_of(page).find("rate &gt; 1000/s") != std::string::npos);
        CHECK(RunScene::text_of(tests).find("<failure") != std::string::npos);
        // Readable for whoever may read any other new file here.
        const auto plain = scene.files.write("plain", "");
        CHECK(
            std::filesystem::status(tests).permissions() ==
            std::filesystem::status(plain).permissions());
        const auto fine = scene.run(
            {scene.url(), "--rate", "50", "--duration", "1s", "--threshold", "failed == 0"});
        CHECK(fine.exit_code == 0);
    }

    TEST_CASE("a threshold that aborts ends the run before its time") {
        const RunScene scene{{.usual = {.error_ratio = {1}}}};
        const auto done = scene.run(
            {scene.url(), "--rate", "50", "--duration", "10m", "--threshold",
             "error_rate < 10% abort", "--json"});
        CHECK(done.exit_code == 1);
        CHECK(RunScene::summary_of(done).duration_sec < 300);
    }

    TEST_CASE("an interrupt ends the load, and the report is written") {
        const RunScene scene;
        const auto summary = scene.files.path("s.json");
        const pid_t pid = tests::spawn(
            {.argv =
                 {hive::tests::hive_program(), "run", scene.url(), "--rate", "100", "--duration",
                  "10m", "--summary", summary},
             .output = scene.files.path("out")});
        scene.mock.until([](const mock::Record& record) { return record.requests >= 20; });
        ::kill(pid, SIGINT);
        REQUIRE(tests::wait_for_exit(pid, 60s));
        const auto out = RunScene::text_of(scene.files.path("out"));
        CHECK_MESSAGE(out.find("interrupted") != std::string::npos, out);
        const auto written =
            telemetry::summary_from_json(parse_json(RunScene::text_of(summary)).value());
        REQUIRE(written.has_value());
        CHECK(written->requests.total == scene.mock.server->record().requests);
    }

    TEST_CASE("nobody there is a failed run, a mistake is bad input") {
        const RunScene scene;
        const auto nobody =
            scene.run({"http://127.0.0.1:1/", "--rate", "20", "--duration", "500ms"});
        CHECK(nobody.exit_code == 3);
        CHECK(nobody.err.find("every call failed") != std::string::npos);
        CHECK(nobody.out.find("refused") != std::string::npos);
        const auto with = [&](const char* threshold) {
            return scene
                .run(
                    {"http://127.0.0.1:1/", "--rate", "20", "--duration", "200ms", "--threshold",
                     threshold})
                .exit_code;
        };
        CHECK(with("p99 < 10s") == 3); // quickly refused is no success
        CHECK(with("error_rate < 1%") == 1);
        CHECK(with("failed > 0") == 0); // whoever expects failures says so
        CHECK(scene.run({scene.url(), "--rate", "many"}).exit_code == 2);
        CHECK(scene.run({scene.url(), "--threshold", "p99 <"}).exit_code == 2);
        CHECK(scene.run({"ftp://x/"}).exit_code == 2);
        CHECK(scene.run({scene.files.path("none.yaml")}).exit_code == 2);
    }

    TEST_CASE("on RabbitMQ each bee is a process, and every call is counted all the same") {
        const tests::RabbitServer broker;
        const RunScene scene;
        const auto done = scene.run(
            {scene.url(), "--rate", "100", "--duration", "2s", "--broker", broker.url(), "--json"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err);
        CHECK(RunScene::summary_of(done).requests.total == 200);
        CHECK(scene.mock.server->record().requests == 200);
    }
}
