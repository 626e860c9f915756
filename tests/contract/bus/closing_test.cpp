#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>

using namespace hive;
using namespace hive::contract;

namespace {

template <class T>
void check_closed(const Result<T>& result) {
    REQUIRE(!result.has_value());
    CHECK(result.error().code == Errc::closed);
}

} // namespace

TEST_CASE("a graceful close returns in-flight items to the queue for the next consumer") {
    Party witness;
    const auto queue = witness.declare_queue();
    witness.send(straight_to(queue), numbered(6));
    Party leaving;
    const auto receiver = leaving.open_receiver({.queue = queue, .prefetch = 4});
    const Batch held = receive(*receiver, 4);
    REQUIRE(receiver->ack(std::array{held.tags().at(0)}).has_value());
    leaving.close();

    REQUIRE(eventually([&] { return witness.depth(queue) == 5; }));
    const auto next = witness.open_receiver(queue);
    const Batch batch = receive(*next, 5);
    CHECK(batch.payloads() == Payloads{"1", "2", "3", "4", "5"});
    REQUIRE(batch.deliveries.size() == 5);
    CHECK(batch.deliveries[0].redelivered);
    CHECK(batch.deliveries[0].attempt == 1);
}

TEST_CASE("what a closing connection accepted is delivered") {
    Party witness;
    const auto queue = witness.declare_queue();
    Party leaving;
    const auto sender = leaving.open_sender();
    auto batch = items({"a", "b", "c"});
    const auto taken = sender->send(straight_to(queue), batch, patience);
    REQUIRE(taken.value_or(0) == 3);
    leaving.close();
    CHECK(take(*witness.open_receiver(queue), 3) == Payloads{"a", "b", "c"});
}

TEST_CASE("a close without a deadline takes the time it needs") {
    Party witness;
    const auto queue = witness.declare_queue();
    Party leaving;
    const auto sender = leaving.open_sender();
    auto batch = items({"a", "b", "c"});
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 3);
    CHECK(leaving.connection().close(Duration::max()).has_value());
    CHECK(witness.depth(queue) == 3);
}

TEST_CASE("a closed connection and all that came from it answer closed") {
    Party party;
    const auto queue = party.declare_queue();
    const auto sender = party.open_sender();
    const auto receiver = party.open_receiver(queue);
    CHECK(party.connection().link() == bus::Link::up);
    party.close();
    CHECK(party.connection().link() == bus::Link::closed);

    auto batch = items({"x"});
    check_closed(sender->send(straight_to(queue), batch, 0s));
    check_closed(receiver->receive(1, 0s));
    check_closed(party.topology().inspect(queue));
    check_closed(party.topology().declare({.queues = {{.name = queue}}}));
    check_closed(party.topology().bind({"x", "y", queue}));
    check_closed(party.work().open_sender({}));
    check_closed(party.work().open_receiver({.queue = queue}));
    check_closed(party.control().publish({"a.b", "{}"}, bus::Persistence::transient));
    check_closed(party.control().consume(queue, [](bus::ControlDelivery) {}, 1));
    CHECK(party.connection().close(patience).has_value());
}

TEST_CASE("a close wakes a receive that waits") {
    Party party;
    const auto receiver = party.open_receiver(party.declare_queue());
    std::atomic<bool> started{false};
    std::jthread waiting{[&] {
        started = true;
        check_closed(receiver->receive(1, 60s));
    }};
    REQUIRE(eventually([&] { return started.load(); }));
    party.close();
}

TEST_CASE("a close wakes a send that waits for room") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = 1});
    party.send(straight_to(queue), {"full"});
    const auto sender = party.open_sender({.window = 1});
    std::atomic<bool> started{false};
    std::jthread waiting{[&] {
        started = true;
        auto batch = items({"a", "b", "c", "d"});
        std::span<wire::WorkItem> left{batch};
        while (!left.empty()) {
            const auto taken = sender->send(straight_to(queue), left, 60s);
            if (!taken) {
                CHECK(taken.error().code == Errc::closed);
                return;
            }
            left = left.subspan(*taken);
        }
        FAIL_CHECK("the queue took more than its bound");
    }};
    REQUIRE(eventually([&] { return started.load(); }));
    // What the full queue refuses cannot be delivered, so this close may end at its deadline.
    static_cast<void>(party.connection().close(1s));
}

TEST_CASE("a close returns unsettled control deliveries and ends subscriptions") {
    Party witness;
    Party leaving;
    const auto declared = witness.topology().declare({.exchanges = {{.name = "ph.control"}}});
    REQUIRE(declared.has_value());
    const auto queue = witness.declare_queue();
    witness.bind("ph.control", queue, queue);
    std::mutex mutex;
    std::vector<bus::ControlDelivery> kept;
    const auto subscription = leaving.control().consume(
        queue,
        [&](bus::ControlDelivery delivery) {
            const std::lock_guard lock{mutex};
            kept.push_back(std::move(delivery));
        },
        10);
    REQUIRE(subscription.has_value());
    for (const char* body : {"a", "b"}) {
        REQUIRE(witness.control().publish({queue, body}, bus::Persistence::persistent).has_value());
    }
    REQUIRE(eventually([&] {
        const std::lock_guard lock{mutex};
        return kept.size() == 2;
    }));
    leaving.close();
    CHECK(eventually([&] { return witness.depth(queue) == 2; }));
    CHECK(witness.consumers(queue) == 0);
    const std::lock_guard lock{mutex};
    kept.front().ack(); // too late, and harmless
    kept.clear();
    CHECK(witness.depth(queue) == 2);
}
