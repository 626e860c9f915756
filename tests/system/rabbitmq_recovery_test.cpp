// One connection through losses of its broker: what it had, it has again.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <optional>

using namespace hive;
using namespace hive::tests;

TEST_CASE("after a lost connection exclusive queues, bindings and consumers are back") {
    Client client;
    const auto exchange = unique_name("exchange");
    const auto kept = unique_name("kept");
    const auto unbound = unique_name("unbound");
    const auto removed = unique_name("removed");
    client.declare(
        {.exchanges = {{.name = exchange}},
         .queues =
             {{.name = kept, .exclusive = true},
              {.name = unbound, .exclusive = true},
              {.name = removed}},
         .bindings = {{exchange, "key", kept}, {exchange, "key", unbound}}});
    REQUIRE(client->topology().unbind({exchange, "key", unbound}));
    REQUIRE(client->topology().remove_queue(removed));
    const auto receiver = open_receiver(client, {.queue = kept});
    const auto sender = open_sender(client);

    shared_server().close_connections();
    REQUIRE(client.reconnected(1));
    CHECK(client.links.heard(bus::Link::away));
    CHECK(client.links.last_reason(bus::Link::away).find("by a test") != std::string::npos);

    std::array batch{item("after")};
    REQUIRE(sender->send({exchange, "key"}, batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());
    CHECK(receive(*receiver, 1)[0].item.payload() == "after");
    CHECK(client.depth(unbound) == 0);
    CHECK(client->topology().inspect(removed).error().code == Errc::not_found);
    CHECK(client->topology().remove_exchange(exchange).has_value());
}

TEST_CASE("unacknowledged items come back and acknowledgements of the lost session are counted") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    client.send(queue, {"a", "b", "c"});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto held = receive(*receiver, 3);

    shared_server().close_connections();
    REQUIRE(client.reconnected(1));
    const auto again = receive(*receiver, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(again[i].item == held[i].item);
        CHECK(again[i].redelivered);
        CHECK(again[i].attempt == 1);
    }
    REQUIRE(receiver->ack(std::array{held[0].tag, held[1].tag}).has_value());
    CHECK(eventually([&] { return client.counters().stale_acks == 2; }));
    REQUIRE(receiver->ack(std::array{again[0].tag, again[1].tag, again[2].tag}).has_value());
    CHECK(eventually([&] {
        const auto stats = client->topology().inspect(queue);
        return stats && stats->depth == 0;
    }));
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("control consumers resume and envelopes published meanwhile arrive") {
    Client client;
    const auto queue = unique_name("control");
    client.declare(
        {.exchanges = {{.name = "ph.control"}},
         .queues = {{.name = queue, .exclusive = true}},
         .bindings = {{"ph.control", "event.test." + queue, queue}}});
    std::atomic<int> handled{0};
    const auto subscription = client->control().consume(
        queue,
        [&](bus::ControlDelivery delivery) {
            ++handled;
            delivery.ack();
        },
        10);
    REQUIRE(subscription.has_value());
    for (int round = 1; round <= 3; ++round) {
        shared_server().close_connections();
        REQUIRE(client.reconnected(static_cast<std::uint64_t>(round)));
        REQUIRE(
            client->control().publish({"event.test." + queue, "{}"}, bus::Persistence::transient));
        REQUIRE(client->control().flush(patience).has_value());
        CHECK(eventually([&] { return handled >= round; }));
    }
}

TEST_CASE("while the broker is away publishing is accepted up to a bound and topology says so") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.exchanges = {{.name = "ph.control"}}, .queues = {{.name = queue}}});
    const auto sender = open_sender(client, {.window = 3});
    std::optional<Absence> absence{std::in_place};
    REQUIRE(eventually([&] { return client->link() == bus::Link::away; }));

    const auto inspected = client->topology().inspect(queue);
    REQUIRE(!inspected.has_value());
    CHECK(inspected.error().code == Errc::unavailable);
    CHECK(client->work().open_receiver({.queue = queue}).error().code == Errc::unavailable);
    std::vector<wire::WorkItem> items;
    for (const char* id : {"a", "b", "c", "d"}) items.push_back(item(id));
    CHECK(sender->send(straight_to(queue), items, 0s).value_or(9) == 3);
    std::span<wire::WorkItem> rest{items.data() + 3, 1};
    CHECK(sender->send(straight_to(queue), rest, 10ms).value_or(9) == 0);
    CHECK(sender->flush(10ms).error().code == Errc::timeout);
    std::size_t envelopes = 0;
    while (client->control().publish({"event.x", "{}"}, bus::Persistence::transient)) ++envelopes;
    CHECK(envelopes == 8192);

    absence.reset();
    REQUIRE(client.reconnected(1));
    CHECK(sender->flush(patience).has_value());
    CHECK(sender->confirmed() == 3);
    CHECK(client->control().flush(patience).has_value());
    CHECK(client.depth(queue) == 3);
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("a broker alarm blocks senders at their window and consumers go on") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    client.send(queue, {"before"});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto sender = open_sender(client, {.window = 5});
    shared_server().set_alarm();

    std::vector<wire::WorkItem> items;
    for (int i = 0; i < 20; ++i) items.push_back(item(std::to_string(i)));
    std::span<wire::WorkItem> rest{items};
    // The broker says so when the first message meets the alarm.
    CHECK(eventually([&] {
        const auto sent = sender->send(straight_to(queue), rest, 0s);
        REQUIRE(sent.has_value());
        rest = rest.subspan(*sent);
        return client->link() == bus::Link::blocked;
    }));
    CHECK(sender->accepted() - sender->confirmed() <= 5);
    CHECK(client.links.last_reason(bus::Link::blocked).find("memory") != std::string::npos);
    const auto before = receive(*receiver, 1);
    CHECK(before[0].item.payload() == "before");
    REQUIRE(receiver->ack(std::array{before[0].tag}).has_value());
    CHECK(client->topology().inspect(queue).has_value());

    shared_server().clear_alarm();
    CHECK(eventually([&] { return client->link() == bus::Link::up; }));
    while (!rest.empty()) {
        const auto sent = sender->send(straight_to(queue), rest, patience);
        REQUIRE(sent.value_or(0) > 0);
        rest = rest.subspan(*sent);
    }
    CHECK(sender->flush(patience).has_value());
    CHECK(receive(*receiver, 20).size() == 20);
    CHECK(client->topology().remove_queue(queue).has_value());
}
