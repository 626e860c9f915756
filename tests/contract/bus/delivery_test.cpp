#include "bus/dead_letter.hpp"
#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace hive;
using namespace hive::contract;
using bus::Verdict;

namespace {

Payloads sorted(Payloads payloads) {
    std::ranges::sort(payloads);
    return payloads;
}

} // namespace

TEST_CASE("a queue keeps the order in which it was filled") {
    Party party;
    const auto queue = party.declare_queue();
    const auto payloads = numbered(1000);
    party.send(straight_to(queue), payloads);
    const auto receiver = party.open_receiver({.queue = queue, .prefetch = 1000});
    CHECK(take(*receiver, 1000) == payloads);
}

TEST_CASE("everything in an item arrives") {
    Party party;
    const auto queue = party.declare_queue();
    wire::WorkItem sent = item("payload with \"quotes\" and \xc3\xa9");
    sent.headers.set("tenant", "blue");
    sent.headers.set("weight", wire::HeaderValue::json("3"));
    sent.message_id = "m-1";
    sent.content_type = "text/plain";
    sent.swarm_id = "alpha";
    sent.steps.push_back(sent.steps.front());
    sent.steps.back().payload = "second";
    std::array batch{sent};

    const auto sender = party.open_sender();
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());

    const auto receiver = party.open_receiver(queue);
    const Batch got = receive(*receiver, 1);
    REQUIRE(got.deliveries.size() == 1);
    CHECK(got.deliveries[0].item == sent);
    CHECK(got.deliveries[0].attempt == 1);
    CHECK(!got.deliveries[0].redelivered);
}

TEST_CASE("an acknowledged item is gone for good") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"a", "b"});
    {
        const auto receiver = party.open_receiver(queue);
        CHECK(take(*receiver, 2) == Payloads{"a", "b"});
    }
    CHECK(stays_empty(*party.open_receiver(queue)));
    CHECK(party.depth(queue) == 0);
}

TEST_CASE("competing consumers share a queue and each item goes to one of them") {
    Party party;
    const auto queue = party.declare_queue();
    const auto first = party.open_receiver({.queue = queue, .prefetch = 5});
    const auto second = party.open_receiver({.queue = queue, .prefetch = 5});
    party.send(straight_to(queue), numbered(20));

    // Each has five at first. Who of them gets how many of the rest depends on whose
    // acknowledgements come first.
    Payloads all = take(*first, 5);
    const Payloads of_second = take(*second, 5);
    all.insert(all.end(), of_second.begin(), of_second.end());
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (all.size() < 20 && std::chrono::steady_clock::now() < deadline) {
        for (auto* receiver : {first.get(), second.get()}) {
            const auto some = receiver->receive(5, 100ms);
            REQUIRE_MESSAGE(some.has_value(), some.error().detail);
            std::vector<std::uint64_t> tags;
            for (const bus::Delivered& each : *some) {
                all.emplace_back(each.item.payload());
                tags.push_back(each.tag);
            }
            REQUIRE(receiver->ack(tags).has_value());
        }
    }
    CHECK(sorted(all) == sorted(numbered(20)));
    CHECK(stays_empty(*first));
    CHECK(stays_empty(*second));
}

TEST_CASE("no more than prefetch deliveries are unsettled at once") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(10));
    const auto receiver = party.open_receiver({.queue = queue, .prefetch = 3});

    const Batch batch = receive(*receiver, 3);
    CHECK(stays_empty(*receiver));
    CHECK(party.depth(queue) == 7);

    REQUIRE(receiver->ack(std::array{batch.tags().at(1)}).has_value());
    CHECK(take(*receiver, 1) == Payloads{"3"});
}

TEST_CASE("a requeued item comes back marked as redelivered and no attempt is charged") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"a"});
    const auto receiver = party.open_receiver({.queue = queue, .max_attempts = 2});
    for (int round = 0; round < 5; ++round) {
        const Batch batch = receive(*receiver, 1);
        REQUIRE(batch.deliveries.size() == 1);
        CHECK(batch.deliveries[0].attempt == 1);
        CHECK(batch.deliveries[0].redelivered == (round > 0));
        REQUIRE(receiver->settle(batch.deliveries[0].tag, Verdict::requeue, "busy").has_value());
    }
    CHECK(take(*receiver, 1) == Payloads{"a"});
}

TEST_CASE("requeued items keep their places") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(5));
    {
        const auto receiver = party.open_receiver({.queue = queue, .prefetch = 3});
        const Batch batch = receive(*receiver, 3);
        for (const auto tag : batch.tags()) {
            REQUIRE(receiver->settle(tag, Verdict::requeue, "busy").has_value());
        }
    }
    REQUIRE(eventually([&] { return party.depth(queue) == 5; }));
    CHECK(take(*party.open_receiver(queue), 5) == numbered(5));
}

TEST_CASE("a retried item is charged an attempt each time and then dead-lettered with the reason") {
    Party party;
    const auto dead = party.declare_queue();
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"a"});
    const auto receiver =
        party.open_receiver({.queue = queue, .max_attempts = 3, .dead_letter = dead});
    for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
        const Batch batch = receive(*receiver, 1);
        REQUIRE(batch.deliveries.size() == 1);
        CHECK(batch.deliveries[0].attempt == attempt);
        CHECK(batch.deliveries[0].redelivered == (attempt > 1));
        CHECK(batch.deliveries[0].item.headers.find(bus::error_header) == nullptr);
        const auto tag = batch.deliveries[0].tag;
        REQUIRE(receiver->settle(tag, Verdict::retry, "no answer").has_value());
    }
    CHECK(stays_empty(*receiver));

    const auto coroner = party.open_receiver(dead);
    const Batch batch = receive(*coroner, 1);
    REQUIRE(batch.deliveries.size() == 1);
    const auto& headers = batch.deliveries[0].item.headers;
    CHECK(batch.payloads() == Payloads{"a"});
    CHECK(headers.text(bus::error_header) == "no answer");
    REQUIRE(headers.find(bus::attempts_header) != nullptr);
    CHECK(headers.find(bus::attempts_header)->str() == "3");
    CHECK(batch.deliveries[0].attempt == 1);
}

TEST_CASE("a rejected item is dead-lettered at once") {
    Party party;
    const auto dead = party.declare_queue();
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"bad", "good"});
    const auto receiver = party.open_receiver({.queue = queue, .dead_letter = dead});
    const Batch batch = receive(*receiver, 2);
    REQUIRE(batch.deliveries.size() == 2);
    REQUIRE(receiver->settle(batch.tags()[0], Verdict::reject, "not json").has_value());
    REQUIRE(receiver->ack(std::array{batch.tags()[1]}).has_value());

    const auto coroner = party.open_receiver(dead);
    const Batch buried = receive(*coroner, 1);
    REQUIRE(buried.deliveries.size() == 1);
    const auto& headers = buried.deliveries[0].item.headers;
    CHECK(buried.payloads() == Payloads{"bad"});
    CHECK(headers.text(bus::error_header) == "not json");
    REQUIRE(headers.find(bus::attempts_header) != nullptr);
    CHECK(headers.find(bus::attempts_header)->str() == "1");
    CHECK(stays_empty(*coroner));
    CHECK(stays_empty(*receiver));
}

TEST_CASE("a rejected item without a dead-letter queue is dropped") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"bad"});
    {
        const auto receiver = party.open_receiver(queue);
        const Batch batch = receive(*receiver, 1);
        REQUIRE(batch.deliveries.size() == 1);
        REQUIRE(receiver->settle(batch.tags()[0], Verdict::reject, "not json").has_value());
        CHECK(stays_empty(*receiver));
    }
    CHECK(stays_empty(*party.open_receiver(queue)));
}

TEST_CASE("a receiver that goes away returns its unsettled items to the queue") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(4));
    {
        const auto receiver = party.open_receiver({.queue = queue, .prefetch = 3});
        const Batch batch = receive(*receiver, 3);
        REQUIRE(receiver->ack(std::array{batch.tags().at(0)}).has_value());
    }
    REQUIRE(eventually([&] { return party.depth(queue) == 3; }));
    const auto receiver = party.open_receiver(queue);
    const Batch batch = receive(*receiver, 3);
    CHECK(batch.payloads() == Payloads{"1", "2", "3"});
    REQUIRE(batch.deliveries.size() == 3);
    CHECK(batch.deliveries[0].redelivered);
    CHECK(batch.deliveries[0].attempt == 1);
}
