#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::contract;
using bus::Overflow;

namespace {

void check_denied(const Status& status) {
    REQUIRE(!status.has_value());
    CHECK(status.error().code == Errc::denied);
    CHECK(!status.error().detail.empty());
}

} // namespace

TEST_CASE("declaring the same objects again is fine") {
    Party party;
    const auto exchange = party.declare_exchange();
    bus::Queue settings{.name = unique_name("queue"), .message_ttl = 60s, .max_length = 10};
    const auto queue = party.declare_queue(settings);
    const bus::Layout layout{
        .exchanges = {{.name = exchange}},
        .queues = {settings},
        .bindings = {{exchange, "work", queue}},
    };
    party.send(straight_to(queue), {"kept"});
    CHECK(party.topology().declare(layout).has_value());
    CHECK(party.topology().declare(layout).has_value());
    CHECK(party.depth(queue) == 1);
}

TEST_CASE("declaring a queue with other settings is a conflict that leaves it as it was") {
    Party party;
    const bus::Queue settings{.name = unique_name("queue"), .max_length = 10};
    const auto queue = party.declare_queue(settings);

    bus::Queue shorter = settings;
    shorter.max_length = 5;
    bus::Queue transient = settings;
    transient.durable = false;
    bus::Queue expiring = settings;
    expiring.message_ttl = 60s;
    bus::Queue dropping = settings;
    dropping.overflow = Overflow::drop_oldest;
    for (const auto& other : {shorter, transient, expiring, dropping}) {
        const auto declared = party.topology().declare({.queues = {other}});
        REQUIRE(!declared.has_value());
        CHECK(declared.error().code == Errc::conflict);
        CHECK(declared.error().detail.find(queue) != std::string::npos);
    }
    CHECK(party.topology().declare({.queues = {settings}}).has_value());
}

TEST_CASE("declaring an exchange with other settings is a conflict") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto declared =
        party.topology().declare({.exchanges = {{.name = exchange, .durable = false}}});
    REQUIRE(!declared.has_value());
    CHECK(declared.error().code == Errc::conflict);
}

TEST_CASE("what a layout declared before its conflict stays declared") {
    Party party;
    const auto taken = party.declare_queue();
    const auto fresh = unique_name("queue");
    const auto declared =
        party.topology().declare({.queues = {{.name = fresh}, {.name = taken, .max_length = 1}}});
    REQUIRE(!declared.has_value());
    CHECK(declared.error().code == Errc::conflict);
    CHECK(party.exists(fresh));
    CHECK(party.topology().remove_queue(fresh).has_value());
}

TEST_CASE("an exclusive queue is denied to every other connection") {
    Party owner;
    Party other;
    const bus::Queue settings{.name = unique_name("queue"), .durable = false, .exclusive = true};
    const auto queue = owner.declare_queue(settings);

    check_denied(other.topology().declare({.queues = {settings}}));
    const auto stats = other.topology().inspect(queue);
    REQUIRE(!stats.has_value());
    CHECK(stats.error().code == Errc::denied);
    const auto receiver = other.work().open_receiver({.queue = queue});
    REQUIRE(!receiver.has_value());
    CHECK(receiver.error().code == Errc::denied);
    const auto handler = other.control().consume(queue, [](bus::ControlDelivery) {}, 1);
    REQUIRE(!handler.has_value());
    CHECK(handler.error().code == Errc::denied);
    check_denied(other.topology().remove_queue(queue));

    owner.send(straight_to(queue), {"mine"});
    CHECK(take(*owner.open_receiver(queue), 1) == Payloads{"mine"});
}

TEST_CASE("an exclusive queue goes with its connection") {
    Party witness;
    std::string queue;
    {
        Party owner;
        queue = owner.declare_queue(
            {.name = unique_name("queue"), .durable = false, .exclusive = true});
        owner.send(straight_to(queue), {"lost"});
        owner.close();
    }
    CHECK(eventually([&] { return !witness.exists(queue); }));
}

TEST_CASE("an auto-delete queue goes with its last consumer") {
    Party party;
    const auto queue =
        party.declare_queue({.name = unique_name("queue"), .durable = false, .auto_delete = true});
    CHECK(party.exists(queue));
    auto first = party.open_receiver(queue);
    auto second = party.open_receiver(queue);
    first.reset();
    CHECK(party.exists(queue));
    second.reset();
    CHECK(eventually([&] { return !party.exists(queue); }));
}

TEST_CASE("an auto-delete queue goes with its last subscription") {
    Party party;
    const auto queue =
        party.declare_queue({.name = unique_name("queue"), .durable = false, .auto_delete = true});
    auto subscription = party.control().consume(queue, [](bus::ControlDelivery) {}, 1);
    REQUIRE(subscription.has_value());
    CHECK(party.exists(queue));
    subscription->reset();
    CHECK(eventually([&] { return !party.exists(queue); }));
}

TEST_CASE("a message older than its queue allows is gone") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .message_ttl = 50ms});
    party.send(straight_to(queue), numbered(3));
    CHECK(eventually([&] { return party.depth(queue) == 0; }));
    CHECK(stays_empty(*party.open_receiver(queue)));
}

TEST_CASE("an expired message goes to the dead-letter queue if there is one") {
    Party party;
    const auto dead = party.declare_queue();
    const auto queue = party.declare_queue(
        {.name = unique_name("queue"), .message_ttl = 50ms, .dead_letter = dead});
    party.send(straight_to(queue), {"a", "b"});
    const auto receiver = party.open_receiver(dead);
    CHECK(take(*receiver, 2) == Payloads{"a", "b"});
    CHECK(party.depth(queue) == 0);
}

TEST_CASE("a message young enough is delivered by a queue that expires messages") {
    Party party;
    const auto queue = party.declare_queue({.name = unique_name("queue"), .message_ttl = 60s});
    party.send(straight_to(queue), {"a"});
    CHECK(take(*party.open_receiver(queue), 1) == Payloads{"a"});
}

TEST_CASE("a full queue that drops the oldest keeps the newest") {
    Party party;
    const auto dead = party.declare_queue();
    const auto queue = party.declare_queue(
        {.name = unique_name("queue"),
         .max_length = 3,
         .overflow = Overflow::drop_oldest,
         .dead_letter = dead});
    party.send(straight_to(queue), numbered(5));
    CHECK(party.depth(queue) == 3);
    CHECK(take(*party.open_receiver(queue), 3) == Payloads{"2", "3", "4"});
    CHECK(take(*party.open_receiver(dead), 2) == Payloads{"0", "1"});
}

TEST_CASE("removing a queue or an exchange may be repeated") {
    Party party;
    const auto queue = party.declare_queue();
    const auto exchange = party.declare_exchange();
    party.bind(exchange, "work", queue);
    party.send(straight_to(queue), {"lost"});
    for (int round = 0; round < 2; ++round) {
        CHECK(party.topology().remove_queue(queue).has_value());
        CHECK(party.topology().remove_exchange(exchange).has_value());
    }
    CHECK(!party.exists(queue));
}

TEST_CASE("a removed queue comes back empty and unbound") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto always = party.declare_queue();
    const bus::Queue settings{.name = unique_name("queue")};
    const auto queue = party.declare_queue(settings);
    party.bind(exchange, "work", queue);
    party.bind(exchange, "work", always);
    party.send({exchange, "work"}, {"before"});
    REQUIRE(party.topology().remove_queue(queue).has_value());
    REQUIRE(party.topology().declare({.queues = {settings}}).has_value());
    party.send({exchange, "work"}, {"after"});
    CHECK(party.depth(always) == 2);
    CHECK(party.depth(queue) == 0);
}
