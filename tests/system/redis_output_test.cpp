#include "tests/support/line_under_test.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::worker;
using tests::LineUnderTest;

namespace {

struct Scene {
    tests::RedisServer server{};

    std::size_t length(const std::string& list) const {
        return std::stoul(server.ask({"LLEN", list}));
    }
    // From the list `in` to lists by what the elements say.
    std::string moving(std::string_view rate) const {
        return fmt::format(
            R"({{"inputs":{{"type":"REDIS_DATASET","redis":{{
                    "port":{0},"listName":"in","ratePerSec":{1}}}}},
                "outputs":{{"type":"REDIS","redis":{{
                    "port":{0},"routes":[{{"match":"7$","list":"sevens"}}],
                    "defaultList":"out"}}}}}})",
            server.port(), rate);
    }
    void fill(int count) const {
        server.ask(
            {"EVAL", "for i=0,ARGV[1]-1 do redis.call('RPUSH','in',i) end", "0",
             std::to_string(count)});
    }
};

} // namespace

TEST_CASE("items go from list to list, and each leaves the first when it is in the second") {
    const Scene scene;
    scene.fill(1000);
    LineUnderTest bee;
    REQUIRE(bee.check(scene.moving("100000")));
    bee.configure(scene.moving("100000"));
    bee.enable(true);
    CHECK(bee.eventually([&](const WorkloadReport& report) {
        return report.flow.input == wire::InputState::out_of_data &&
               scene.length("in:processing:alpha:alpha-generator-1") == 0;
    }));
    CHECK(scene.length("sevens") == 100);
    CHECK(scene.length("out") == 900);
}

TEST_CASE("an output that is killed is said to be away and misses nothing") {
    Scene from;
    Scene to;
    constexpr int count = 2000;
    from.fill(count);
    const std::string config = fmt::format(
        R"({{"inputs":{{"type":"REDIS_DATASET","redis":{{
                "port":{},"listName":"in","ratePerSec":5000}}}},
            "outputs":{{"type":"REDIS","redis":{{"port":{},"defaultList":"out"}}}}}})",
        from.server.port(), to.server.port());
    LineUnderTest bee;
    bee.configure(config);
    bee.enable(true);
    bee.payloads(300);
    to.server.kill();
    CHECK(bee.eventually([](const WorkloadReport& report) {
        return report.flow.output == wire::OutputState::downstream_error;
    }));
    to.server.start();
    CHECK(bee.eventually([&](const WorkloadReport& report) {
        return report.flow.input == wire::InputState::out_of_data &&
               from.length("in:processing:alpha:alpha-generator-1") == 0;
    }));
    to.server.ask(
        {"EVAL",
         "for _,v in ipairs(redis.call('LRANGE','out',0,-1)) do "
         "redis.call('SADD','seen',v) end",
         "0"});
    CHECK(to.server.ask({"SCARD", "seen"}) == std::to_string(count));
    CHECK(bee.reason().empty());
}

TEST_CASE("an uploader copies items and never holds them up") {
    Scene scene;
    const auto config = [&](std::string_view phase) {
        return fmt::format(
            R"({{"inputs":{{"scheduler":{{"ratePerSec":100000,"maxMessages":500,"reset":true}}}},
                "interceptors":{{"templating":{{"template":"plain"}},"redisUploader":{{
                    "port":{},"phase":"{}","defaultList":"copies"}}}}}})",
            scene.server.port(), phase);
    };
    LineUnderTest bee{[](Item& item) -> Status {
        item.become("worked");
        return {};
    }};
    REQUIRE(bee.check(config("BEFORE")));
    bee.configure(config("BEFORE"));
    bee.enable(true);
    CHECK(bee.eventually([&](const auto&) { return scene.length("copies") == 500; }));
    CHECK(scene.server.ask({"LINDEX", "copies", "0"}) == "plain");
    bee.configure(config("AFTER"));
    CHECK(bee.eventually([&](const auto&) { return scene.length("copies") == 1000; }));
    CHECK(scene.server.ask({"LINDEX", "copies", "-1"}) == "worked");
    scene.server.kill();
    bee.configure(config("AFTER"));
    CHECK(bee.payloads(1500).size() == 1500);
}
