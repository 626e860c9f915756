#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>

using namespace hive;
using namespace hive::contract;

namespace {

// Asks until the sender has noticed: a broker may tell of a missing queue late.
Errc failure_of(bus::WorkSender& sender, const bus::Route& route) {
    std::optional<Errc> failure;
    const bool failed = eventually([&] {
        auto batch = items({"x"});
        if (const auto sent = sender.send(route, batch, 0s); !sent) failure = sent.error().code;
        return failure.has_value();
    });
    REQUIRE(failed);
    return *failure;
}

std::vector<wire::WorkItem> numbered_items(std::size_t count) {
    std::vector<wire::WorkItem> made;
    for (auto& payload : numbered(count)) made.push_back(item(std::move(payload)));
    return made;
}

} // namespace

TEST_CASE("a batch is accepted, then confirmed, and a flush waits for that") {
    Party party;
    const auto queue = party.declare_queue();
    const auto sender = party.open_sender({.window = 64});
    CHECK(sender->accepted() == 0);
    CHECK(sender->confirmed() == 0);
    CHECK(sender->flush(patience).has_value());

    auto batch = numbered_items(500);
    std::span<wire::WorkItem> left{batch};
    while (!left.empty()) {
        const auto taken = sender->send(straight_to(queue), left, patience);
        REQUIRE(taken.has_value());
        REQUIRE(*taken > 0);
        left = left.subspan(*taken);
        CHECK(sender->accepted() == batch.size() - left.size());
        CHECK(sender->confirmed() <= sender->accepted());
        CHECK(sender->accepted() - sender->confirmed() <= 64);
    }
    REQUIRE(sender->flush(patience).has_value());
    CHECK(sender->confirmed() == 500);
    CHECK(party.depth(queue) == 500);
}

TEST_CASE("an item that was taken is moved out and one that was not stays") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = 2});
    const auto sender = party.open_sender({.window = 2});
    auto batch = numbered_items(50);
    const auto taken = sender->send(straight_to(queue), batch, patience);
    REQUIRE(taken.has_value());
    REQUIRE(*taken > 0);
    REQUIRE(*taken < batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) CHECK(batch[i].steps.empty() == (i < *taken));
}

TEST_CASE("sending nothing is fine") {
    Party party;
    const auto queue = party.declare_queue();
    CHECK(party.open_sender()->send(straight_to(queue), bus::ItemRefs{}, 0s).value_or(9) == 0);
}

TEST_CASE("a full queue pushes back, never exceeds its bound and loses nothing") {
    Party party;
    constexpr std::size_t bound = 10;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = bound});
    const auto sender = party.open_sender({.window = 5});
    auto batch = numbered_items(100);
    std::span<wire::WorkItem> left{batch};
    // Until it takes no more although it was given time.
    for (;;) {
        const auto taken = sender->send(straight_to(queue), left, moment);
        REQUIRE(taken.has_value());
        left = left.subspan(*taken);
        if (*taken == 0) break;
    }
    CHECK(left.size() >= batch.size() - bound - 5);
    CHECK(sender->confirmed() <= bound);
    CHECK(party.depth(queue) <= bound);

    const auto receiver = party.open_receiver({.queue = queue, .prefetch = 5});
    Payloads all;
    while (all.size() < 100) {
        while (!left.empty()) {
            // An item may be received before it is confirmed: with everything sent received, room
            // for the next comes only with the confirmation.
            const bool starved = all.size() == batch.size() - left.size();
            const auto taken = sender->send(straight_to(queue), left, starved ? patience : 0s);
            REQUIRE(taken.has_value());
            if (*taken == 0) break;
            left = left.subspan(*taken);
        }
        const auto got = take(*receiver, 1);
        REQUIRE(got.size() == 1);
        all.push_back(got.front());
    }
    CHECK(sender->flush(patience).has_value());
    CHECK(sender->confirmed() == 100);
    std::ranges::sort(all);
    auto expected = numbered(100);
    std::ranges::sort(expected);
    CHECK(all == expected);
}

TEST_CASE("on_progress tells that a sender that was pushed back may go on") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = 4});
    std::atomic<int> calls{0};
    const auto sender = party.open_sender({.window = 2, .on_progress = [&] { ++calls; }});
    auto batch = numbered_items(50);
    std::span<wire::WorkItem> left{batch};
    for (;;) {
        const auto taken = sender->send(straight_to(queue), left, moment);
        REQUIRE(taken.has_value());
        left = left.subspan(*taken);
        // A slow broker also makes a sender wait; this is about a full queue.
        if (*taken == 0 && party.topology().inspect(queue).value().depth == 4) break;
    }
    const int before = calls;
    CHECK(take(*party.open_receiver(queue), 4).size() == 4);
    CHECK(eventually([&] { return calls > before; }));
}

TEST_CASE("a sender that waits for room gets it as soon as there is some") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = 1});
    party.send(straight_to(queue), {"first"});
    std::jthread consumer{[&] {
        const auto receiver = party.open_receiver({.queue = queue, .prefetch = 2});
        CHECK(take(*receiver, 2) == Payloads{"first", "second"});
    }};
    const auto sender = party.open_sender({.window = 1});
    auto batch = items({"second"});
    CHECK(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    CHECK(sender->flush(patience).has_value());
}

TEST_CASE("a sender without a deadline waits for room and for its confirmations") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .max_length = 1});
    party.send(straight_to(queue), {"first"});
    const auto sender = party.open_sender({.window = 1});
    std::jthread consumer{[&] {
        std::this_thread::sleep_for(moment);
        const auto receiver = party.open_receiver({.queue = queue, .prefetch = 3});
        CHECK(take(*receiver, 3).size() == 3);
    }};
    for (const char* payload : {"second", "third"}) {
        auto batch = items({payload});
        CHECK(sender->send(straight_to(queue), batch, Duration::max()).value_or(0) == 1);
    }
    CHECK(sender->flush(Duration::max()).has_value());
    CHECK(sender->confirmed() == 2);
}

TEST_CASE("sending to a missing queue is not_found and the sender stays failed") {
    Party party;
    const auto queue = party.declare_queue();
    const auto sender = party.open_sender();
    CHECK(failure_of(*sender, straight_to(unique_name("none"))) == Errc::not_found);
    auto batch = items({"x"});
    const auto sent = sender->send(straight_to(queue), batch, 0s);
    REQUIRE(!sent.has_value());
    CHECK(sent.error().code == Errc::not_found);
    CHECK(!sender->flush(patience).has_value());
}

TEST_CASE("sending to a key that no queue is bound to is not_found") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    party.bind(exchange, "work", queue);
    CHECK(failure_of(*party.open_sender(), {exchange, "other"}) == Errc::not_found);

    const auto sender = party.open_sender();
    auto batch = items({"x"});
    REQUIRE(sender->send({exchange, "work"}, batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());
    REQUIRE(party.topology().unbind({exchange, "work", queue}).has_value());
    CHECK(failure_of(*sender, {exchange, "work"}) == Errc::not_found);
}

TEST_CASE("a queue removed under its sender is not_found") {
    Party party;
    const auto queue = party.declare_queue();
    const auto sender = party.open_sender();
    auto batch = items({"x"});
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());
    REQUIRE(party.topology().remove_queue(queue).has_value());
    CHECK(failure_of(*sender, straight_to(queue)) == Errc::not_found);
}
