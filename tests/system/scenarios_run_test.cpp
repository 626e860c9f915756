// `hive run --server`: the same run on a hive elsewhere.
#include "tests/support/places.hpp"
#include "tests/system/run_scene.hpp"
#include "tests/system/swarm_rest_scene.hpp"

using namespace hive;
using namespace hive::tests;
using hive::test::RunScene;

namespace {

struct RemoteScene : RunScene {
    Outcome run_there(std::vector<std::string> args) {
        args.insert(args.begin(), "run");
        args.insert(args.end(), {"--server", hive.hive.url, "--json"});
        return hive.hive.run(std::move(args));
    }
    std::vector<std::string> swarms() {
        std::vector<std::string> out;
        for (const auto& item : hive.get("/swarms").items()) {
            out.emplace_back(item.at("id").as_string());
        }
        return out;
    }

    RestHive hive{};
};

} // namespace

TEST_SUITE("hive run --server") {
    TEST_CASE("a scenario runs there, its calls are counted and nothing stays behind") {
        RemoteScene scene;
        const auto done = scene.run_there(
            {in_source("scenarios/hello"), "--endpoint", "default=" + scene.url(""), "--set",
             "generator.inputs.scheduler.maxMessages=60"});
        REQUIRE_MESSAGE(done.exit_code <= 1, done.err, done.out); // this machine may be slow
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.scenario == "hello");
        CHECK(summary.requests.total == 60);
        CHECK(scene.mock.server->record().requests == 60);
        CHECK(summary.thresholds.size() == 3);
        CHECK(scene.swarms().empty());
    }

    TEST_CASE("a URL is called from there, and a broken threshold is exit code 1") {
        RemoteScene scene;
        const auto done = scene.run_there(
            {scene.url(), "--rate", "50", "--duration", "1s", "--threshold", "p99 < 1us"});
        CHECK_MESSAGE(done.exit_code == 1, done.err);
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.requests.total == scene.mock.server->record().requests);
        CHECK(summary.requests.total == 50);
    }

    TEST_CASE("a swarm of somebody else is left alone") {
        RemoteScene scene;
        scene.hive.create("theirs", quiet_template);
        const auto done =
            scene.run_there({scene.url(), "--rate", "50", "--duration", "1s", "--swarm", "theirs"});
        CHECK(done.exit_code == 3);
        CHECK_MESSAGE(contains(done.err, "theirs"), done.err);
        CHECK(scene.swarms() == std::vector<std::string>{"theirs"});
    }

    TEST_CASE("a server that is not there, a key that it does not know, and both ways at once") {
        RemoteScene scene;
        const auto url = scene.url();
        const auto run = [&](std::vector<std::string> args, const std::string& key) {
            args.insert(args.begin(), {"run", url, "--rate", "5", "--duration", "1s"});
            return run_hive(std::move(args), {{"HIVE_KEY", key}});
        };
        const auto away = run({"--server", "http://127.0.0.1:1"}, scene.hive.hive.key);
        CHECK(away.exit_code == 3);
        CHECK(contains(away.err, "no answer from the server"));
        const auto unknown =
            run({"--server", scene.hive.hive.url}, "hvb_1TkLDkUcqINuicJoxuoo2YQ4sZDRM4dfc0tGBop");
        CHECK(unknown.exit_code == 3);
        CHECK_MESSAGE(contains(unknown.err, "does not accept your key"), unknown.err);
        const auto both =
            run({"--server", scene.hive.hive.url, "--broker", "amqp://x"}, scene.hive.hive.key);
        CHECK(both.exit_code == 2);
        const auto nobody = run({"--server", "no-such-profile"}, scene.hive.hive.key);
        CHECK(nobody.exit_code == 2);
        CHECK(scene.mock.server->record().requests == 0);
    }
}
