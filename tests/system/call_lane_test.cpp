#include "call/lanes.hpp"
#include "tests/system/call_scene.hpp"
#include "tests/system/call_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;
using call::Done;
using call::ErrorClass;

namespace {

std::vector<call::Call> many(const std::shared_ptr<const call::Target>& target, std::size_t count) {
    std::vector<call::Call> calls;
    for (std::size_t i = 0; i < count; ++i) {
        calls.push_back(http_call(target));
        calls.back().id = i;
    }
    return calls;
}

// Holds every request back until it is opened, and knows how many wait.
class Turnstile {
public:
    void operator()(Peer& peer) {
        while (!peer.read_request().empty()) {
            const int now = ++waiting_;
            for (int seen = most_; seen < now && !most_.compare_exchange_weak(seen, now);) {
            }
            while (!open_) std::this_thread::sleep_for(1ms);
            --waiting_;
            if (!peer.send(ok("ok"))) return;
        }
    }
    void open() { open_ = true; }
    int most() const { return most_; }
    bool wait_for(int count) const {
        for (int i = 0; i < 20'000 && waiting_ < count; ++i) std::this_thread::sleep_for(1ms);
        return waiting_ >= count;
    }

private:
    std::atomic<bool> open_{false};
    std::atomic<int> waiting_{0};
    std::atomic<int> most_{0};
};

std::vector<std::uint64_t> ids_of(const std::vector<Done>& done) {
    std::vector<std::uint64_t> ids;
    for (const Done& each : done) ids.push_back(each.call.id);
    return ids;
}

std::vector<std::uint64_t> first_ids(std::size_t count) {
    std::vector<std::uint64_t> ids(count);
    std::iota(ids.begin(), ids.end(), std::uint64_t{0});
    return ids;
}

} // namespace

TEST_CASE("one call at a time: they are made in the order they came") {
    ScriptedServer server{always(ok("ok"))};
    Caller caller{{.concurrency = 1}};
    CHECK(ids_of(caller.make_all(many(target(server.url()), 200))) == first_ids(200));
    CHECK(server.connections() == 1);
}

TEST_CASE("no more calls are under way than allowed") {
    Turnstile turnstile;
    ScriptedServer server{[&](Peer& peer) { turnstile(peer); }};
    Caller caller{{.concurrency = 5}};
    caller.submit(many(target(server.url()), 20));
    REQUIRE(turnstile.wait_for(5));
    CHECK(caller.lane().pending() == 20);
    turnstile.open();
    CHECK(caller.wait_for(20).size() == 20);
    CHECK(turnstile.most() == 5);
}

TEST_CASE("a full queue refuses a batch as a whole, and tells when there is room again") {
    Turnstile turnstile;
    ScriptedServer server{[&](Peer& peer) { turnstile(peer); }};
    std::atomic<int> rooms{0};
    std::atomic<std::size_t> done{0};
    auto lane = call::Lane::start(
        {.concurrency = 1, .waiting_max = 10},
        {.done = [&](std::vector<Done>& ended) { done += ended.size(); },
         .room = [&] { ++rooms; }});
    REQUIRE(lane);
    const auto where = target(server.url());
    auto calls = many(where, 10);
    REQUIRE((*lane)->submit(calls));
    CHECK(calls.empty());
    REQUIRE(turnstile.wait_for(1));
    calls = many(where, 2); // one call is under way, so there is room for one
    CHECK((*lane)->room() == 1);
    const auto refused = (*lane)->submit(calls);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::limit);
    CHECK(calls.size() == 2);
    CHECK(rooms == 0);
    auto too_many = many(where, 11);
    CHECK((*lane)->submit(too_many).error().code == Errc::invalid);
    turnstile.open();
    for (int i = 0; i < 20'000 && (rooms == 0 || done < 10); ++i) std::this_thread::sleep_for(1ms);
    CHECK(rooms == 1);
    CHECK((*lane)->submit(calls));
    (*lane)->drain(60s);
    CHECK(done == 12);
}

TEST_CASE("draining lets calls end, and takes no new ones") {
    Turnstile turnstile;
    ScriptedServer server{[&](Peer& peer) { turnstile(peer); }};
    Caller caller{{.concurrency = 2}};
    const auto where = target(server.url());
    caller.submit(many(where, 6));
    REQUIRE(turnstile.wait_for(2));
    std::thread opener{[&] {
        auto late = many(where, 1);
        while (caller.lane().submit(late)) late = many(where, 1);
        turnstile.open();
    }};
    caller.lane().drain(60s);
    opener.join();
    CHECK(caller.lane().pending() == 0);
    for (const Done& done : caller.wait_for(6)) CHECK(done.ok());
}

TEST_CASE("at its deadline a drain cancels: every call comes back once, whatever it was doing") {
    Turnstile turnstile;
    ScriptedServer server{[&](Peer& peer) { turnstile(peer); }};
    Caller caller{{.concurrency = 3}};
    caller.submit(many(target(server.url()), 50));
    REQUIRE(turnstile.wait_for(3));
    caller.lane().drain(50ms);
    auto done = caller.wait_for(50);
    turnstile.open();
    for (const Done& each : done) {
        CHECK(each.failure.error == ErrorClass::cancelled);
        CHECK(each.at.last_byte >= each.at.taken);
    }
    auto ids = ids_of(done);
    std::ranges::sort(ids);
    CHECK(ids == first_ids(50));
}

TEST_CASE("calls from many threads at once all come back") {
    ScriptedServer server{always(ok("ok"))};
    Caller caller{{.concurrency = 8, .waiting_max = 100'000}};
    const auto where = target(server.url());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) caller.submit(many(where, 10));
        });
    }
    for (auto& thread : threads) thread.join();
    for (const Done& done : caller.wait_for(2000)) CHECK(done.ok());
    CHECK(caller.batches() <= 2000);
}

TEST_CASE("several lanes share the work and one concurrency") {
    Turnstile turnstile;
    ScriptedServer server{[&](Peer& peer) { turnstile(peer); }};
    std::atomic<std::size_t> done{0};
    auto lanes = call::Lanes::start(
        2, {.concurrency = 5}, {.done = [&](std::vector<Done>& ended) { done += ended.size(); }});
    REQUIRE(lanes);
    const auto where = target(server.url());
    for (int i = 0; i < 10; ++i) {
        auto calls = many(where, 5);
        REQUIRE((*lanes)->submit(calls));
    }
    REQUIRE(turnstile.wait_for(5));
    CHECK((*lanes)->pending() == 50);
    turnstile.open();
    (*lanes)->drain(60s);
    CHECK(done == 50);
    CHECK(turnstile.most() == 5);
    auto late = many(where, 1);
    CHECK((*lanes)->submit(late).error().code == Errc::closed);
}

TEST_CASE("a lane that cannot work as asked does not start") {
    const call::Lane::Events events{.done = [](std::vector<Done>&) {}};
    CHECK_FALSE(call::Lane::start({}, {}));
    CHECK_FALSE(call::Lane::start({.concurrency = 0}, events));
    CHECK_FALSE(call::Lane::start({.timeouts = {.total = 0s}}, events));
    CHECK_FALSE(call::Lane::start({.head_bytes_max = 100'000}, events));
    CHECK_FALSE(call::Lanes::start(0, {}, events));
}
