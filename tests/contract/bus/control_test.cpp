#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

using namespace hive;
using namespace hive::contract;
using bus::ControlDelivery;
using bus::Persistence;

namespace {

// Every message of this test, whatever else uses the control exchange.
class Scene {
public:
    Scene() {
        const auto declared = party.topology().declare({.exchanges = {{.name = "ph.control"}}});
        REQUIRE_MESSAGE(declared.has_value(), declared.error().detail);
        swarm_ = unique_name("swarm").substr(std::string_view{"ph.test.swarm."}.size());
    }
    std::string key(std::string_view type = "status-delta") const {
        return "event.metric." + std::string{type} + "." + swarm_ + ".generator.g-1";
    }
    std::string declare_queue(bus::Queue settings = {}) {
        const auto queue = party.declare_queue(std::move(settings));
        party.bind("ph.control", "event.metric.*." + swarm_ + ".#", queue);
        return queue;
    }
    void publish(std::string body) {
        const auto sent = party.control().publish({key(), std::move(body)}, Persistence::transient);
        REQUIRE_MESSAGE(sent.has_value(), sent.error().detail);
    }

    Party party;

private:
    std::string swarm_;
};

// What a handler saw, from any thread.
class Seen {
public:
    void add(const ControlDelivery& delivery) {
        const std::lock_guard lock{mutex_};
        bodies_.push_back(delivery.message().body);
        redelivered_.push_back(delivery.redelivered());
    }
    Payloads bodies() const {
        const std::lock_guard lock{mutex_};
        return bodies_;
    }
    std::vector<bool> redelivered() const {
        const std::lock_guard lock{mutex_};
        return redelivered_;
    }
    bool reaches(std::size_t count) const {
        return eventually([&] { return bodies().size() >= count; });
    }

private:
    mutable std::mutex mutex_;
    Payloads bodies_;
    std::vector<bool> redelivered_;
};

bus::ControlHandler acknowledge(Seen& seen) {
    return [&seen](ControlDelivery delivery) {
        seen.add(delivery);
        delivery.ack();
    };
}

} // namespace

TEST_CASE("a handler gets the messages of its queue in order, with key and body") {
    Scene scene;
    const auto queue = scene.declare_queue();
    Seen seen;
    std::mutex mutex;
    std::optional<bus::ControlMessage> first;
    const auto subscription = scene.party.control().consume(
        queue,
        [&](ControlDelivery delivery) {
            {
                const std::lock_guard lock{mutex};
                if (!first) first = delivery.message();
            }
            seen.add(delivery);
            delivery.ack();
        },
        10);
    REQUIRE(subscription.has_value());
    for (const auto& body : numbered(100)) scene.publish(body);

    REQUIRE(seen.reaches(100));
    CHECK(seen.bodies() == numbered(100));
    const std::lock_guard lock{mutex};
    CHECK(first == bus::ControlMessage{scene.key(), "0"});
}

TEST_CASE("publishing to a key that nobody is bound to is no error") {
    Scene scene;
    scene.publish("into the void");
    CHECK(scene.party.control().flush(patience).has_value());
}

TEST_CASE("consuming a missing queue is not_found") {
    Scene scene;
    const auto subscription =
        scene.party.control().consume(unique_name("none"), [](ControlDelivery) {}, 1);
    REQUIRE(!subscription.has_value());
    CHECK(subscription.error().code == Errc::not_found);
}

TEST_CASE("messages published before anyone consumes wait in the queue") {
    Scene scene;
    const auto queue = scene.declare_queue();
    scene.publish("early");
    REQUIRE(scene.party.control().flush(patience).has_value());
    CHECK(eventually([&] { return scene.party.depth(queue) == 1; }));
    Seen seen;
    const auto subscription = scene.party.control().consume(queue, acknowledge(seen), 1);
    REQUIRE(subscription.has_value());
    CHECK(seen.reaches(1));
    CHECK(scene.party.consumers(queue) == 1);
}

TEST_CASE("a delivery dropped unsettled comes back marked as redelivered") {
    Scene scene;
    const auto queue = scene.declare_queue();
    Seen seen;
    const auto subscription = scene.party.control().consume(
        queue,
        [&](ControlDelivery delivery) {
            seen.add(delivery);
            if (delivery.redelivered()) delivery.ack();
        },
        1);
    REQUIRE(subscription.has_value());
    scene.publish("again");
    REQUIRE(seen.reaches(2));
    CHECK(seen.bodies() == Payloads{"again", "again"});
    CHECK(seen.redelivered() == std::vector{false, true});
}

TEST_CASE("a kept delivery counts against prefetch until it is settled") {
    Scene scene;
    const auto queue = scene.declare_queue();
    Seen seen;
    std::mutex mutex;
    std::vector<ControlDelivery> kept;
    const auto subscription = scene.party.control().consume(
        queue,
        [&](ControlDelivery delivery) {
            seen.add(delivery);
            const std::lock_guard lock{mutex};
            kept.push_back(std::move(delivery));
        },
        2);
    REQUIRE(subscription.has_value());
    for (const auto& body : numbered(3)) scene.publish(body);

    REQUIRE(seen.reaches(2));
    REQUIRE(eventually([&] { return scene.party.depth(queue) == 1; }));
    CHECK(seen.bodies() == numbered(2));
    {
        const std::lock_guard lock{mutex};
        kept.front().ack();
    }
    CHECK(seen.reaches(3));
    const std::lock_guard lock{mutex};
    for (auto& delivery : kept) delivery.ack();
}

TEST_CASE("once a subscription is gone its handler is never called again") {
    Scene scene;
    const auto queue = scene.declare_queue();
    for (int round = 0; round < 20; ++round) {
        auto calls = std::make_unique<std::atomic<int>>(0);
        auto subscription = scene.party.control().consume(
            queue,
            [&calls](ControlDelivery delivery) {
                ++*calls; // a call after the reset below would be a use after free
                delivery.ack();
            },
            4);
        REQUIRE(subscription.has_value());
        for (const auto& body : numbered(20)) scene.publish(body);
        REQUIRE(eventually([&] { return *calls > 0; }));
        subscription->reset();
        const int last = *calls;
        scene.publish("late");
        CHECK(*calls == last);
        calls.reset();
    }
    CHECK(eventually([&] { return scene.party.consumers(queue) == 0; }));
}

TEST_CASE("control consumers of one queue share its messages") {
    Scene scene;
    const auto queue = scene.declare_queue();
    Seen first;
    Seen second;
    const auto one = scene.party.control().consume(queue, acknowledge(first), 1);
    const auto two = scene.party.control().consume(queue, acknowledge(second), 1);
    REQUIRE(one.has_value());
    REQUIRE(two.has_value());
    for (const auto& body : numbered(50)) scene.publish(body);
    CHECK(eventually([&] { return first.bodies().size() + second.bodies().size() == 50; }));
    CHECK(!first.bodies().empty());
    CHECK(!second.bodies().empty());
}
