// Public bundles that need more than an HTTP server: as they are, against a mock and a Redis.
#include "tests/support/places.hpp"
#include "tests/support/redis_server.hpp"
#include "tests/system/run_scene.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace hive;
using namespace hive::test;

namespace {

// Bundles that nobody here wrote, beside the project; nothing where they are not.
std::string bundle(const std::string& name) {
    const char* given = std::getenv("HIVE_SHARED_DATA");
    const std::string root =
        given != nullptr ? given : hive::tests::in_source("") + "/../shared/data";
    const std::string path = root + "/scenarios/" + name;
    if (std::filesystem::is_directory(path)) return path;
    MESSAGE("skipped: the public bundles are not here; HIVE_SHARED_DATA says where");
    return "";
}

// Every bee that speaks to Redis speaks to ours.
std::vector<std::string> with_redis(const tests::RedisServer& redis, const std::string& end) {
    std::vector<std::string> args;
    for (const std::string& place :
         {"generator.interceptors.redisUploader", "dataProviderA.inputs.redis",
          "dataProviderB.inputs.redis"}) {
        std::string name = place;
        if (end == "flat") {
            std::ranges::transform(
                name.begin(), name.begin() + static_cast<std::ptrdiff_t>(name.find('.')),
                name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        }
        args.insert(
            args.end(), {"--set", name + ".host=127.0.0.1", "--set",
                         name + ".port=" + std::to_string(redis.port())});
    }
    return args;
}

} // namespace

TEST_SUITE("public bundles") {
    TEST_CASE("nested/local-rest: the moderator lets a fifth of it pass, and all of that arrives") {
        const auto path = bundle("nested/local-rest");
        if (path.empty()) return;
        const RunScene scene;
        const auto done = scene.run(
            {path, "--endpoint", "default=" + scene.url(""), "--duration", "2s", "--json", "--set",
             "generator.inputs.scheduler.maxMessages=30", "--drain", "10s"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.load.sent == 30);
        CHECK(summary.requests.total == 30);
        CHECK(summary.requests.failed == 0);
        CHECK(scene.mock.server->record().requests == 30);
    }

    TEST_CASE("flat/tcp-socket-demo: fifteen messages are answered over TCP") {
        const auto path = bundle("flat/tcp-socket-demo");
        if (path.empty()) return;
        const RunScene scene{{.tcp = {{.port = 0, .framing = mock::Framing::echo}}}};
        const auto done = scene.run(
            {path, "--sut", "tcp-mock-local", "--endpoint",
             "tcp-server=tcp://127.0.0.1:" + std::to_string(scene.mock.server->tcp()[0].port),
             "--set", "generator.inputs.scheduler.ratePerSec=50", "--json"});
        REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
        const auto summary = RunScene::summary_of(done);
        CHECK(summary.requests.total == 15);
        CHECK(summary.requests.failed == 0);
    }

    TEST_CASE("redis-dataset-demo: what is seeded into lists is drained by those who call") {
        for (const std::string generation : {"flat", "nested"}) {
            CAPTURE(generation);
            const auto path = bundle(generation + "/redis-dataset-demo");
            if (path.empty()) return;
            const RunScene scene;
            const tests::RedisServer redis;
            std::vector<std::string> args{
                path,
                "--endpoint",
                "default=" + scene.url(""),
                "--duration",
                "4s",
                "--json",
                "--set",
                "generator.inputs.scheduler.maxMessages=20",
                "--set",
                "generator.inputs.scheduler.ratePerSec=50"};
            const auto more = with_redis(redis, generation);
            args.insert(args.end(), more.begin(), more.end());
            const auto done = scene.run(std::move(args));
            REQUIRE_MESSAGE(done.exit_code == 0, done.err, done.out);
            const auto summary = RunScene::summary_of(done);
            const auto arrived = scene.mock.server->record().requests;
            CHECK(arrived == 20);
            CHECK(summary.requests.total == arrived);
            CHECK(summary.requests.failed == 0);
            for (const char* list : {"ph:dataset:custa", "ph:dataset:custb", "ph:dataset:other"}) {
                CHECK(redis.ask({"LLEN", list}) == "0");
            }
        }
    }
}
