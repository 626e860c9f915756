#include "redis/connection.hpp"
#include "tests/support/line_under_test.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <set>

using namespace hive;
using namespace hive::worker;
using tests::LineUnderTest;

namespace {

constexpr std::string_view kept = "data:processing:alpha:alpha-generator-1";

struct Scene {
    tests::RedisServer server{};

    void fill(int count) const {
        redis::Command command{"RPUSH", "data"};
        for (int i = 0; i < count; ++i) command.push_back(std::to_string(i));
        REQUIRE(redis::Connection::open({.port = server.port()}).value()->run(command));
    }
    std::size_t length(std::string_view list) const {
        return std::stoul(server.ask({"LLEN", std::string{list}}));
    }
    std::string reading(std::string_view more = R"("listName":"data")") const {
        return fmt::format(
            R"({{"inputs":{{"type":"REDIS_DATASET","redis":{{
                "port":{},"ratePerSec":100000,{}}}}}}})",
            server.port(), more);
    }
};

bool has_no_data(const WorkloadReport& report) {
    return report.flow.input == wire::InputState::out_of_data;
}

std::set<std::string> distinct(const std::vector<std::string>& all) {
    return {all.begin(), all.end()};
}

} // namespace

TEST_CASE("a bee works through a list, says that it is empty and goes on when there is more") {
    const Scene scene;
    scene.fill(2000);
    LineUnderTest bee;
    REQUIRE(bee.check(scene.reading()));
    bee.configure(scene.reading());
    bee.enable(true);
    CHECK(bee.payloads(2000).size() == 2000);
    CHECK(bee.eventually(has_no_data));
    CHECK(bee.eventually([&](const auto&) { return scene.length(kept) == 0; }));
    scene.fill(10);
    CHECK(bee.payloads(2010).size() == 2010);
}

TEST_CASE("a server that is killed costs time and no element") {
    Scene scene;
    constexpr std::size_t count = 3000;
    scene.fill(count);
    LineUnderTest bee;
    bee.configure(scene.reading(R"("listName":"data","prefetch":100,"ratePerSec":5000)"));
    bee.enable(true);
    bee.payloads(500);
    scene.server.kill();
    CHECK(bee.eventually([](const WorkloadReport& report) {
        return report.flow.input == wire::InputState::upstream_error;
    }));
    scene.server.start();
    CHECK(bee.eventually(has_no_data));
    CHECK(distinct(bee.payloads(count)).size() == count);
    CHECK(bee.eventually([&](const auto&) { return scene.length(kept) == 0; }));
    CHECK(bee.reason().empty());
}

TEST_CASE("what a bee has not finished is there for the next one") {
    const Scene scene;
    scene.fill(50);
    {
        LineUnderTest bee;
        bee.configure(scene.reading(R"("listName":"data","ratePerSec":0)"));
        bee.enable(true);
        CHECK(bee.eventually([&](const auto&) { return scene.length(kept) == 50; }));
    }
    CHECK(scene.length("data") == 50);
    scene.server.ask({"LMOVE", "data", std::string{kept}, "LEFT", "RIGHT"}); // as after a crash
    LineUnderTest bee;
    bee.configure(scene.reading());
    bee.enable(true);
    const auto seen = bee.payloads(50);
    CHECK(distinct(seen).size() == 50);
    CHECK(seen.front() == "0");
}

TEST_CASE("an element that nobody can work with is kept apart") {
    const Scene scene;
    scene.fill(3);
    LineUnderTest bee{[](Item& item) -> Status {
        if (item.payload() == "1") return fail(Errc::invalid, "not this one");
        return {};
    }};
    bee.configure(scene.reading());
    bee.enable(true);
    CHECK(bee.payloads(2).size() == 2);
    CHECK(bee.eventually([&](const auto&) { return scene.length("data:dead") == 1; }));
    CHECK(bee.eventually([&](const auto&) { return scene.length(kept) == 0; }));
    CHECK(scene.server.ask({"LRANGE", "data:dead", "0", "-1"}) == "1");
}

TEST_CASE("settings that cannot work are refused, and the password is not shown") {
    const Scene scene;
    const LineUnderTest bee;
    const auto refusal = [&](std::string_view more) {
        const auto checked = bee.check(scene.reading(more));
        return checked ? std::string{} : checked.error().detail;
    };
    CHECK(refusal(R"("prefetch":10)").find("redis.listName") != std::string::npos);
    CHECK(
        refusal(R"("listName":"a","sources":[{"listName":"b"}])").find("exactly one") !=
        std::string::npos);
    CHECK(
        refusal(R"("sources":[{"listName":"b","weight":0}])").find("weight") != std::string::npos);
    CHECK(refusal(R"("sources":[{"listName":"b","weight":2}],"password":"horse")").empty());
    const auto shown = without_secrets<FlowConfig>(
        parse_json(scene.reading(R"("listName":"a","password":"horse")")).value().as_object());
    CHECK(to_text(shown).find("horse") == std::string::npos);
}
