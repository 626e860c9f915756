// A reconnect restores what this connection had, and nothing that was removed on purpose.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

using namespace hive;
using namespace hive::tests;

namespace {

std::optional<Error> end_of(bus::WorkReceiver& receiver) {
    std::optional<Error> end;
    eventually([&] {
        if (const auto got = receiver.receive(1, 10ms); !got) end = got.error();
        return end.has_value();
    });
    return end;
}

void reconnect(Client& client) {
    shared_server().close_connections();
    REQUIRE(client.reconnected(1));
}

bool exists(Client& client, const std::string& queue) {
    Result<bus::QueueStats> stats{};
    REQUIRE(eventually([&] {
        stats = client->topology().inspect(queue);
        return stats.has_value() || stats.error().code == Errc::not_found;
    }));
    return stats.has_value();
}

} // namespace

TEST_CASE("a queue that another party removed under its receiver does not come back") {
    Client owner;
    Client other;
    const auto exchange = unique_name("exchange");
    const auto queue = unique_name("queue");
    owner.declare(
        {.exchanges = {{.name = exchange}},
         .queues = {{.name = queue}},
         .bindings = {{exchange, "key", queue}}});
    const auto receiver = open_receiver(owner, {.queue = queue});
    REQUIRE(other->topology().remove_queue(queue).has_value());
    const auto end = end_of(*receiver);
    REQUIRE(end.has_value());
    CHECK(end->code == Errc::not_found);
    CHECK_MESSAGE(end->detail.find(queue) != std::string::npos, end->detail);

    reconnect(owner);
    CHECK(!exists(other, queue));
    // Its bindings are forgotten too: there was nothing to complain about.
    CHECK(std::ranges::none_of(
        owner.notices(), [](const auto& text) { return text.starts_with("after reconnecting"); }));
    CHECK(owner->topology().remove_exchange(exchange).has_value());
}

TEST_CASE("a queue removed under its subscription does not come back") {
    Client owner;
    Client other;
    const auto queue = unique_name("control");
    owner.declare({.queues = {{.name = queue}}});
    const auto subscription = owner->control().consume(queue, [](bus::ControlDelivery) {}, 1);
    REQUIRE(subscription.has_value());
    REQUIRE(other->topology().remove_queue(queue).has_value());
    CHECK(eventually([&] { return !owner.notices().empty(); }));
    CHECK(owner.notices().front().find(queue) != std::string::npos);
    reconnect(owner);
    CHECK(!exists(other, queue));
}

TEST_CASE("a queue that was declared again under its receiver does come back") {
    Client client;
    const auto queue = unique_name("queue");
    const bus::Layout layout{.queues = {{.name = queue, .exclusive = true}}};
    client.declare(layout);
    const auto receiver = open_receiver(client, {.queue = queue});
    REQUIRE(client->topology().remove_queue(queue).has_value());
    client.declare(layout);
    CHECK(end_of(*receiver).has_value());
    reconnect(client);
    CHECK(exists(client, queue));
}

TEST_CASE("a queue that was found missing does not come back") {
    Client owner;
    Client other;
    const auto inspected = unique_name("inspected");
    const auto purged = unique_name("purged");
    const auto consumed = unique_name("consumed");
    const std::vector<std::string> queues{inspected, purged, consumed};
    for (const auto& queue : queues) {
        owner.declare({.queues = {{.name = queue}}});
        REQUIRE(other->topology().remove_queue(queue).has_value());
    }
    CHECK(owner->topology().inspect(inspected).error().code == Errc::not_found);
    CHECK(owner->topology().purge(purged).error().code == Errc::not_found);
    CHECK(owner->work().open_receiver({.queue = consumed}).error().code == Errc::not_found);
    reconnect(owner);
    for (const auto& queue : queues) CHECK_MESSAGE(!exists(other, queue), queue);
}

TEST_CASE("a queue whose removal got no answer does not come back") {
    Client client{shared_server().url(), {.request_timeout = 300ms}};
    const auto queue = unique_name("queue");
    // Exclusive: whether or not the broker reads the removal, it goes with the lost connection.
    client.declare({.queues = {{.name = queue, .exclusive = true}}});
    shared_server().freeze();
    const auto removed = client->topology().remove_queue(queue);
    REQUIRE(eventually([&] { return client->link() == bus::Link::away; }));
    shared_server().thaw();
    CHECK(removed.error().code == Errc::timeout);
    REQUIRE(eventually([&] { return client->link() == bus::Link::up; }));
    CHECK(!exists(client, queue));
}
