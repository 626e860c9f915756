#include "tests/support/places.hpp"
#include "tests/system/run_scene.hpp"

#include <algorithm>
#include <filesystem>

using namespace hive;
using namespace hive::test;

namespace {

std::string of_project(std::string_view path) {
    return fmt::format("{}/{}", hive::tests::in_source(""), path);
}

// Bundles that nobody here wrote, beside the project; nothing where they are not.
std::string public_bundles() {
    const char* given = std::getenv("HIVE_SHARED_DATA");
    const std::string root = given != nullptr ? given : of_project("../shared/data");
    return std::filesystem::is_directory(root + "/scenarios") ? root + "/scenarios" : "";
}

constexpr std::string_view planned = R"(
id: planned
bees:
  - id: source
    role: generator
    work: { out: { q: calls } }
    config:
      inputs: { type: SCHEDULER, scheduler: { ratePerSec: 20 } }
      message: { bodyType: HTTP, method: GET, path: "/{{ headers['x-ph-seq'] }}" }
  - role: processor
    work: { in: { q: calls }, out: { q: results } }
    config: { baseUrl: "http://127.0.0.1:%PORT%", threadCount: 4 }
  - role: postprocessor
    work: { in: { q: results } }
plan:
  duration: 2s
  bees:
    - beeId: source
      steps:
        - { stepId: halt, time: 500ms, type: stop }
        - { stepId: go, time: 1s, type: start }
        - { stepId: faster, time: 1s, config: { inputs: { scheduler: { ratePerSec: 200 } } } }
thresholds:
  - failed == 0
)";

} // namespace

TEST_SUITE("hive run") {
    TEST_CASE("the first scenario runs as it is, against any system that is named") {
        const RunScene scene;
        const auto done = scene.run(
            {of_project("scenarios/hello"), "--endpoint", "default=" + scene.url(""), "--set",
             "generator.inputs.scheduler.maxMessages=60", "--json"});
        REQUIRE_MESSAGE(done.exit_code <= 1, done.err, done.out); // this machine may be slow
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.scenario == "hello");
        CHECK(summary.requests.total == 60);
        CHECK(scene.mock.server->record().requests == 60);
        CHECK(summary.thresholds.size() == 3);
    }

    TEST_CASE("a plan changes a run on the way and says when it ends") {
        const RunScene scene;
        std::string text{planned};
        text.replace(text.find("%PORT%"), 6, std::to_string(*scene.mock.server->http_port()));
        const auto path = scene.files.write("planned.yaml", text);
        const auto page = scene.files.path("r.html");
        const auto done = scene.run({path, "--report", page, "--json"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.duration_sec == 2);
        CHECK(summary.requests.total == scene.mock.server->record().requests);
        // About 10, nothing, and about 200: more than without the plan could have been.
        CHECK(summary.requests.total > 60);
        CHECK(summary.requests.total < 230);
        CHECK(RunScene::text_of(page).find("faster") != std::string::npos);
    }

    TEST_CASE("what is wrong with a scenario is told with its place, and nothing runs") {
        const RunScene scene;
        std::string text{planned};
        text.replace(text.find("threadCount: 4"), 14, "treadCount: 4 ");
        const auto path = scene.files.write("wrong.yaml", text);
        const auto done = scene.run({path});
        CHECK(done.exit_code == 2);
        CHECK_MESSAGE(done.err.find("threadCount") != std::string::npos, done.err);
        CHECK(done.err.find("wrong.yaml:") != std::string::npos);
        CHECK(scene.mock.server->record().requests == 0);
    }

    TEST_CASE("a scenario without an end wants one; options of a URL are none of its") {
        const RunScene scene;
        std::string text{planned};
        text.replace(text.find("%PORT%"), 6, "1");
        text.erase(text.find("plan:"), text.find("thresholds:") - text.find("plan:"));
        const auto path = scene.files.write("endless.yaml", text);
        const auto endless = scene.run({path});
        CHECK(endless.exit_code == 2);
        CHECK(endless.err.find("--duration") != std::string::npos);
        const auto rate = scene.run({path, "--rate", "5"});
        CHECK(rate.exit_code == 2);
        CHECK(rate.err.find("--rate") != std::string::npos);
    }

    TEST_CASE("a guard fills its queue and keeps it there; the switch leaves it as it is") {
        const RunScene scene;
        const auto path = of_project("scenarios/buffer-guard");
        const auto run = [&](const std::map<std::string, std::string>& env) {
            return RunScene::summary_of(tests::run_hive(
                {"run", path, "--endpoint", "default=" + scene.url(""), "--duration", "6s",
                 "--drain", "1s", "--json"},
                env));
        };
        const auto guarded = run({});
        CHECK(guarded.queues.at("waiting").max_depth > 60);
        CHECK(guarded.load.sent > 400); // 120 without it
        const auto left_alone = run(
            {{"POCKETHIVE_CONTROL_PLANE_SWARM_CONTROLLER_FEATURES_BUFFER_GUARD_ENABLED", "off"}});
        CHECK(left_alone.queues.at("waiting").max_depth < 10);
        CHECK(left_alone.load.sent <= 120);
        // What is no yes and no no is a mistake, as it is for a server.
        const auto odd = tests::run_hive({"run", path}, {{"HIVE_SWARM_BUFFER_GUARDS", "perhaps"}});
        CHECK(odd.exit_code == 2);
        CHECK_MESSAGE(odd.err.find("HIVE_SWARM_BUFFER_GUARDS") != std::string::npos, odd.err);
    }

    TEST_CASE("public bundles run against a mock, and every call of theirs is counted") {
        const std::string bundles = public_bundles();
        if (bundles.empty()) {
            MESSAGE("skipped: the public bundles are not here; HIVE_SHARED_DATA says where");
            return;
        }
        using Args = std::vector<std::string>;
        const std::vector<std::pair<std::string, Args>> cases{
            {"flat/local-rest", {}},
            {"flat/local-rest-defaults", {}},
            {"flat/local-rest-plan-demo", {}},
            {"flat/local-rest-with-multi-generators", {}},
            {"flat/templated-rest", {}},
            {"flat/variables-demo", {"--sut", "sut-A"}},
            {"nested/local-rest-plan-demo", {}}};
        for (const auto& [name, more] : cases) {
            CAPTURE(name);
            const RunScene scene;
            Args args{bundles + "/" + name, "--endpoint", "default=" + scene.url(""),
                      "--duration",         "2s",         "--json"};
            args.insert(args.end(), more.begin(), more.end());
            const auto done = scene.run(std::move(args));
            REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
            const auto summary = RunScene::summary_of(done);
            const auto arrived = scene.mock.server->record().requests;
            CHECK(arrived > 0);
            CHECK(summary.load.sent == arrived);
            const bool measured = std::ranges::any_of(
                summary.bees, [](const auto& bee) { return bee.role == "postprocessor"; });
            CHECK(summary.requests.total == (measured ? arrived : 0));
        }
    }
}
