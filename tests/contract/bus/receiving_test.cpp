#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

using namespace hive;
using namespace hive::contract;

TEST_CASE("receiving from a missing queue is not_found") {
    Party party;
    const auto receiver = party.work().open_receiver({.queue = unique_name("none")});
    REQUIRE(!receiver.has_value());
    CHECK(receiver.error().code == Errc::not_found);
}

TEST_CASE("a receiver whose queue is removed answers not_found") {
    Party party;
    const auto queue = party.declare_queue();
    const auto receiver = party.open_receiver(queue);
    REQUIRE(party.topology().remove_queue(queue).has_value());
    std::optional<Errc> failure;
    CHECK(eventually([&] {
        if (const auto got = receiver->receive(1, 10ms); !got) failure = got.error().code;
        return failure.has_value();
    }));
    CHECK(failure == Errc::not_found);
}

TEST_CASE("a receiver whose queue another party removes answers not_found with its name") {
    Party owner;
    Party other;
    const auto exchange = owner.declare_exchange();
    const auto queue = owner.declare_queue();
    owner.bind(exchange, "work", queue);
    const auto receiver = owner.open_receiver(queue);
    REQUIRE(other.topology().remove_queue(queue).has_value());
    std::optional<Error> failure;
    CHECK(eventually([&] {
        if (const auto got = receiver->receive(1, 10ms); !got) failure = got.error();
        return failure.has_value();
    }));
    REQUIRE(failure.has_value());
    CHECK(failure->code == Errc::not_found);
    CHECK_MESSAGE(failure->detail.find(queue) != std::string::npos, failure->detail);
    CHECK(!owner.exists(queue));
    CHECK(!other.exists(queue));
}

TEST_CASE("an empty queue gives nothing at the deadline") {
    Party party;
    const auto receiver = party.open_receiver(party.declare_queue());
    CHECK(receiver->receive(10, 0s).value().empty());
    CHECK(receiver->receive(10, 20ms).value().empty());
    CHECK(receiver->receive(0, patience).value().empty());
}

TEST_CASE("a receive that waits ends with the first item") {
    Party party;
    const auto queue = party.declare_queue();
    const auto receiver = party.open_receiver(queue);
    std::jthread producer{[&] { party.send(straight_to(queue), {"a"}); }};
    const auto got = receiver->receive(10, patience);
    REQUIRE(got.has_value());
    REQUIRE(got->size() == 1);
    CHECK(got->front().item.payload() == "a");
}

TEST_CASE("a receive without a deadline waits for its item") {
    Party party;
    const auto queue = party.declare_queue();
    const auto receiver = party.open_receiver(queue);
    std::jthread producer{[&] {
        std::this_thread::sleep_for(moment);
        party.send(straight_to(queue), {"a"});
    }};
    const auto got = receiver->receive(10, Duration::max());
    REQUIRE(got.has_value());
    REQUIRE(got->size() == 1);
    CHECK(got->front().item.payload() == "a");
}

TEST_CASE("a receive whose deadline is long past takes what is there") {
    Party party;
    const auto receiver = party.open_receiver(party.declare_queue());
    CHECK(receiver->receive(10, Duration::min()).value().empty());
}

TEST_CASE("a receive gives no more than it was asked for") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(10));
    const auto receiver = party.open_receiver(queue);
    for (int round = 0; round < 3; ++round) {
        const auto got = receiver->receive(2, patience);
        REQUIRE(got.has_value());
        CHECK(!got->empty());
        CHECK(got->size() <= 2);
    }
}

TEST_CASE("an item can be changed in place, moved out and sent on") {
    Party party;
    const auto in = party.declare_queue();
    const auto out = party.declare_queue();
    party.send(straight_to(in), {"raw"});
    const auto receiver = party.open_receiver(in);
    const auto sender = party.open_sender();

    const auto got = receiver->receive(1, patience);
    REQUIRE(got.has_value());
    REQUIRE(got->size() == 1);
    bus::Delivered& delivered = got->front();
    const auto tag = delivered.tag;
    delivered.item.headers.set("seen", "yes");
    std::array batch{std::move(delivered.item)};
    REQUIRE(sender->send(straight_to(out), batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());
    REQUIRE(receiver->ack(std::array{tag}).has_value());

    const auto next = party.open_receiver(out);
    const Batch batch_out = receive(*next, 1);
    REQUIRE(batch_out.deliveries.size() == 1);
    CHECK(batch_out.deliveries[0].item.headers.text("seen") == "yes");
    CHECK(eventually([&] { return party.depth(in) == 0; }));
}

TEST_CASE("deliveries can be acknowledged in any order and in any grouping") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(100));
    {
        const auto receiver = party.open_receiver({.queue = queue, .prefetch = 100});
        const Batch batch = receive(*receiver, 100);
        const auto tags = batch.tags();
        REQUIRE(tags.size() == 100);
        std::vector<std::uint64_t> odd;
        for (std::size_t i = 99; i < 100; i -= 2) odd.push_back(tags[i]);
        REQUIRE(receiver->ack(odd).has_value());
    }
    REQUIRE(eventually([&] { return party.depth(queue) == 50; }));
    const auto rest = take(*party.open_receiver(queue), 50);
    for (std::size_t i = 0; i < rest.size(); ++i) CHECK(rest[i] == std::to_string(2 * i));
}

TEST_CASE("on_items tells that there is something to receive after a time without") {
    Party party;
    const auto queue = party.declare_queue();
    std::atomic<int> calls{0};
    const auto receiver = party.open_receiver({.queue = queue, .on_items = [&] { ++calls; }});
    for (int round = 0; round < 3; ++round) {
        REQUIRE(receiver->receive(10, 0s).value().empty());
        const int before = calls;
        party.send(straight_to(queue), {"a"});
        CHECK(eventually([&] { return calls > before; }));
        CHECK(take(*receiver, 1) == Payloads{"a"});
    }
}

TEST_CASE("on_items tells of items that were there before the receiver") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"a"});
    std::atomic<int> calls{0};
    const auto receiver = party.open_receiver({.queue = queue, .on_items = [&] { ++calls; }});
    CHECK(eventually([&] { return calls > 0; }));
}

TEST_CASE("on_items tells when room for more deliveries was made") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), {"a", "b"});
    std::atomic<int> calls{0};
    const auto receiver =
        party.open_receiver({.queue = queue, .prefetch = 1, .on_items = [&] { ++calls; }});
    const Batch batch = receive(*receiver, 1);
    REQUIRE(receiver->receive(1, 0s).value().empty());
    const int before = calls;
    REQUIRE(receiver->ack(batch.tags()).has_value());
    CHECK(eventually([&] { return calls > before; }));
    CHECK(take(*receiver, 1) == Payloads{"b"});
}
