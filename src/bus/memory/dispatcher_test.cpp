#include "bus/memory/hub.hpp"
#include "kernel/clock.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace hive;
using namespace hive::bus;
using namespace std::chrono_literals;

namespace {

// Until the condition holds; false at a deadline that only a failure reaches.
template <class Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

struct World {
    SystemClock clock;
    std::unique_ptr<memory::Hub> hub = std::make_unique<memory::Hub>(clock);
    std::unique_ptr<Connection> connection = hub->connect(Grants::everything());

    World() { REQUIRE(connection->topology().declare({.exchanges = {{.name = "ph.control"}}})); }

    void declare(const std::string& queue, const std::string& key) {
        REQUIRE(connection->topology().declare(
            {.queues = {{.name = queue}}, .bindings = {{"ph.control", key, queue}}}));
    }
    void publish(const std::string& key) {
        REQUIRE(connection->control().publish({key, "{}"}, Persistence::transient));
    }
    Subscription consume(const std::string& queue, ControlHandler handler) {
        return connection->control().consume(queue, std::move(handler), 10).value();
    }
};

} // namespace

TEST_CASE("a thousand four-bee swarms have their five thousand consumers on one thread") {
    World world;
    constexpr int swarms = 1000;
    std::atomic<int> calls{0};
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::vector<Subscription> subscriptions;
    for (int swarm = 0; swarm < swarms; ++swarm) {
        for (int bee = 0; bee < 5; ++bee) {
            const auto name = "ph.control." + std::to_string(swarm) + ".bee." + std::to_string(bee);
            world.declare(
                name, "signal.*." + std::to_string(swarm) + ".bee." + std::to_string(bee));
            REQUIRE(world.connection->topology().bind(
                {"ph.control", "signal.*." + std::to_string(swarm) + ".ALL.ALL", name}));
            subscriptions.push_back(world.consume(name, [&](ControlDelivery delivery) {
                delivery.ack();
                const std::lock_guard lock{mutex};
                threads.insert(std::this_thread::get_id());
                ++calls;
            }));
        }
    }
    for (int swarm = 0; swarm < swarms; ++swarm) {
        world.publish("signal.status-request." + std::to_string(swarm) + ".ALL.ALL");
        world.publish("signal.config-update." + std::to_string(swarm) + ".bee.3");
    }
    CHECK(eventually([&] { return calls == swarms * 6; }));
    const std::lock_guard lock{mutex};
    CHECK(threads.size() == 1);
}

TEST_CASE("a handler may end its own subscription") {
    World world;
    world.declare("q", "k");
    std::atomic<int> calls{0};
    Subscription subscription;
    std::mutex mutex; // the handler must not see the subscription before it is assigned
    {
        const std::lock_guard lock{mutex};
        subscription = world.consume("q", [&](ControlDelivery delivery) {
            delivery.ack();
            const std::lock_guard inner{mutex};
            subscription.reset();
            ++calls;
        });
    }
    world.publish("k");
    REQUIRE(eventually([&] { return calls == 1; }));
    world.publish("k");
    CHECK(world.connection->topology().inspect("q")->consumers == 0);
    CHECK(world.connection->topology().inspect("q")->depth == 1);
    CHECK(calls == 1);
}

TEST_CASE("a handler may publish and declare") {
    World world;
    world.declare("ask", "ask");
    world.declare("answer", "answer");
    std::atomic<int> answers{0};
    const auto first = world.consume("ask", [&](ControlDelivery delivery) {
        CHECK(world.connection->topology().declare({.queues = {{.name = "made"}}}));
        world.publish("answer");
        delivery.ack();
    });
    const auto second = world.consume("answer", [&](ControlDelivery delivery) {
        delivery.ack();
        ++answers;
    });
    world.publish("ask");
    CHECK(eventually([&] { return answers == 1; }));
    CHECK(world.connection->topology().inspect("made").has_value());
}

TEST_CASE("a close waits for a running handler, but not longer than its deadline") {
    World world;
    world.declare("q", "k");
    std::atomic<bool> running{false};
    std::atomic<bool> release{false};
    const auto subscription = world.consume("q", [&](ControlDelivery delivery) {
        running = true;
        while (!release) std::this_thread::yield();
        delivery.ack();
    });
    world.publish("k");
    REQUIRE(eventually([&] { return running.load(); }));
    const auto closed = world.connection->close(20ms);
    REQUIRE(!closed.has_value());
    CHECK(closed.error().code == Errc::timeout);
    release = true;
}

TEST_CASE("a delivery may be settled after its hub is gone") {
    World world;
    world.declare("q", "k");
    std::mutex mutex;
    std::vector<ControlDelivery> kept;
    auto subscription = world.consume("q", [&](ControlDelivery delivery) {
        const std::lock_guard lock{mutex};
        kept.push_back(std::move(delivery));
    });
    world.publish("k");
    world.publish("k");
    REQUIRE(eventually([&] {
        const std::lock_guard lock{mutex};
        return kept.size() == 2;
    }));
    world.hub.reset();
    subscription.reset();
    world.connection.reset();
    kept.front().ack();
    kept.clear();
}

TEST_CASE("senders, receivers and subscriptions may outlive their connection and hub") {
    World world;
    world.declare("q", "k");
    auto sender = world.connection->work().open_sender({}).value();
    auto receiver = world.connection->work().open_receiver({.queue = "q"}).value();
    auto subscription = world.consume("q", [](ControlDelivery) {});
    world.connection.reset();
    world.hub.reset();
    std::vector<wire::WorkItem> batch(1);
    CHECK(sender->send({"", "q"}, batch, 0s).error().code == Errc::closed);
    CHECK(receiver->receive(1, 0s).error().code == Errc::closed);
    subscription.reset();
}
