// Sequences that bees share in Redis.
#include "redis/counters.hpp"
#include "tests/support/line_under_test.hpp"
#include "tests/support/redis_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

using namespace hive;
using namespace std::chrono_literals;
using redis::Counters;
using tests::LineUnderTest;
using tests::RedisServer;

namespace {

Counters::Options options_of(const RedisServer& server) {
    return {.server = {.host = "127.0.0.1", .port = server.port()}, .patience = 10s};
}

std::vector<std::uint64_t> take(Counters& counters, const std::string& key, int count) {
    std::vector<std::uint64_t> out;
    for (int i = 0; i < count; ++i) {
        const auto number = counters.next(key);
        REQUIRE_MESSAGE(number, (number ? "" : number.error().detail));
        out.push_back(*number);
    }
    return out;
}

std::string numbered(const RedisServer& server, bool shared) {
    return fmt::format(
        R"({{"inputs":{{"scheduler":{{"pacing":"UNLIMITED","maxMessages":300}}}},
            "redis":{{"enabled":{},"host":"127.0.0.1","port":{}}},
            "interceptors":{{"templating":{{
                "template":"{{{{ eval(\"#sequence('orders','numeric','%d')\") }}}}"}}}}}})",
        shared, server.port());
}

std::set<std::string> numbers_of(LineUnderTest& bee, const std::string& config) {
    const auto ok = bee.check(config);
    REQUIRE_MESSAGE(ok, (ok ? "" : ok.error().detail));
    bee.configure(config);
    bee.enable(true);
    const auto all = bee.payloads(300);
    return {all.begin(), all.end()};
}

} // namespace

TEST_CASE("a number is handed out once, however many ask") {
    const RedisServer server;
    Counters first{options_of(server)};
    Counters second{options_of(server)};
    constexpr int each = 5000;
    std::vector<std::uint64_t> a;
    std::vector<std::uint64_t> b;
    std::thread other{[&] {
        for (int i = 0; i < each; ++i) b.push_back(second.next("k").value_or(0));
    }};
    for (int i = 0; i < each; ++i) a.push_back(first.next("k").value_or(0));
    other.join();
    CHECK(std::ranges::is_sorted(a)); // each sees them rise
    CHECK(std::ranges::is_sorted(b));
    std::set<std::uint64_t> all{a.begin(), a.end()};
    all.insert(b.begin(), b.end());
    CHECK(all.size() == 2 * each);
    CHECK(!all.contains(0));
}

TEST_CASE("what was not used is given back, so a run alone leaves no gap") {
    const RedisServer server;
    {
        Counters counters{options_of(server)};
        CHECK(take(counters, "k", 40).back() == 40);
        CHECK(std::stoi(server.ask({"GET", "ph:seq:k"})) >= 40);
    }
    CHECK(server.ask({"GET", "ph:seq:k"}) == "40");
    Counters later{options_of(server)};
    CHECK(take(later, "k", 1).front() == 41);
    {
        Counters counters{options_of(server)};
        CHECK(take(counters, "k", 1).front() > 41); // behind what the other one holds
    }
    CHECK(take(later, "k", 1).front() == 42);
}

TEST_CASE("a sequence begins anew when it is told to, and what is no counter is said") {
    const RedisServer server;
    Counters counters{options_of(server)};
    CHECK(counters.reset("k").value() == false);
    CHECK(take(counters, "k", 20).back() == 20);
    CHECK(counters.reset("k").value() == true);
    CHECK(take(counters, "k", 1).front() == 1);
    server.ask({"SET", "ph:seq:text", "honey"});
    const auto wrong = counters.next("text");
    REQUIRE(!wrong);
    CHECK(wrong.error().detail.find("'text'") != std::string::npos);
    CHECK(wrong.error().detail.find("integer") != std::string::npos);
    server.ask({"DEL", "ph:seq:text"});
    CHECK(take(counters, "text", 1).front() == 1);
}

TEST_CASE("a server that is away is an error with its reason, and no number comes twice") {
    RedisServer server;
    Counters counters{options_of(server)};
    std::set<std::uint64_t> seen;
    for (const auto number : take(counters, "k", 5000)) seen.insert(number);
    server.kill();
    std::string reason;
    for (int i = 0; i < 100'000 && reason.empty(); ++i) {
        const auto number = counters.next("k"); // what was taken ahead
        if (number) {
            CHECK(seen.insert(*number).second);
        } else {
            reason = number.error().detail;
        }
    }
    CHECK(reason.find("Redis at 127.0.0.1") != std::string::npos);
    server.start();
    Result<std::uint64_t> number = fail(Errc::unavailable, "");
    for (int i = 0; i < 600 && !number; ++i) {
        std::this_thread::sleep_for(50ms);
        number = counters.next("k");
    }
    REQUIRE_MESSAGE(number, (number ? "" : number.error().detail));
    CHECK(seen.insert(*number).second);
}

TEST_CASE("bees share the sequences of their templates, or have their own") {
    const RedisServer server;
    LineUnderTest first;
    LineUnderTest second;
    auto all = numbers_of(first, numbered(server, true));
    CHECK(all.size() == 300);
    all.merge(numbers_of(second, numbered(server, true)));
    CHECK(all.size() == 600);

    LineUnderTest third;
    LineUnderTest fourth;
    const auto own = numbers_of(third, numbered(server, false));
    CHECK(own.contains("1"));
    CHECK(own == numbers_of(fourth, numbered(server, false)));
}

TEST_CASE("an item without its number fails with the reason, and the bee goes on") {
    RedisServer server;
    const std::string config = numbered(server, true);
    server.kill();
    LineUnderTest bee;
    bee.configure(config);
    bee.enable(true);
    CHECK(bee.eventually([](const worker::WorkloadReport& report) {
        const auto* failed = report.details.if_contains("failed");
        return failed != nullptr && failed->to_number<int>() > 0 &&
               report.details.contains("sequences");
    }));
    CHECK(bee.reason().empty());
}
