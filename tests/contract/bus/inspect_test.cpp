#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::contract;

TEST_CASE("depth, consumers and a missing queue are three different answers") {
    Party party;
    const auto queue = party.declare_queue();

    const auto empty = party.topology().inspect(queue);
    REQUIRE(empty.has_value());
    CHECK(empty->depth == 0);
    CHECK(empty->consumers == 0);

    party.send(straight_to(queue), numbered(7));
    CHECK(party.depth(queue) == 7);

    const auto missing = party.topology().inspect(unique_name("none"));
    REQUIRE(!missing.has_value());
    CHECK(missing.error().code == Errc::not_found);
}

TEST_CASE("every receiver and every subscription counts as a consumer") {
    Party party;
    const auto queue = party.declare_queue();
    auto first = party.open_receiver(queue);
    auto second = party.open_receiver(queue);
    CHECK(party.consumers(queue) == 2);
    auto subscription = party.control().consume(queue, [](bus::ControlDelivery) {}, 1);
    REQUIRE(subscription.has_value());
    CHECK(party.consumers(queue) == 3);
    second.reset();
    subscription->reset();
    CHECK(eventually([&] { return party.consumers(queue) == 1; }));
}

TEST_CASE("an empty queue has no oldest item and a full one tells its age or nothing") {
    Party party;
    const auto queue = party.declare_queue();
    const auto empty = party.topology().inspect(queue);
    REQUIRE(empty.has_value());
    CHECK(!empty->oldest_age.has_value());

    party.send(straight_to(queue), {"a"});
    const auto stats = party.topology().inspect(queue);
    REQUIRE(stats.has_value());
    if (stats->oldest_age) {
        CHECK(*stats->oldest_age >= Duration{0});
        CHECK(*stats->oldest_age < patience);
    }
}

TEST_CASE("a purge tells how many ready items went and spares the unsettled ones") {
    Party party;
    const auto queue = party.declare_queue();
    party.send(straight_to(queue), numbered(5));
    const auto receiver = party.open_receiver({.queue = queue, .prefetch = 2});
    const Batch held = receive(*receiver, 2);
    REQUIRE(eventually([&] { return party.depth(queue) == 3; }));

    CHECK(party.topology().purge(queue).value_or(99) == 3);
    CHECK(party.topology().purge(queue).value_or(99) == 0);
    CHECK(receiver->ack(held.tags()).has_value());
    CHECK(stays_empty(*receiver));
}

TEST_CASE("purging a missing queue is not_found") {
    Party party;
    const auto purged = party.topology().purge(unique_name("none"));
    REQUIRE(!purged.has_value());
    CHECK(purged.error().code == Errc::not_found);
}
