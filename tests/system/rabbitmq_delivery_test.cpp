// What is special about items on RabbitMQ: bodies from strangers, and copies that find no place.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace hive;
using namespace hive::tests;

namespace {

// Puts any bytes into a queue: without an exchange of its own, a control key is a queue.
void put_raw(const std::string& queue, std::string body) {
    Client stranger{shared_server().url(), {.control_exchange = ""}};
    REQUIRE(stranger->control().publish({queue, std::move(body)}, bus::Persistence::persistent));
    REQUIRE(stranger->control().flush(patience).has_value());
}

bool mentions(const std::vector<std::string>& texts, std::string_view word) {
    return std::ranges::any_of(
        texts, [&](const auto& text) { return text.find(word) != std::string::npos; });
}

} // namespace

TEST_CASE("a malformed body goes to the dead-letter queue and the next item is received") {
    Client client;
    const auto dead = unique_name("dead");
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = dead}, {.name = queue}}});
    put_raw(queue, "{\"not\": \"a work item\"");
    put_raw(queue, "");
    client.send(queue, {"good"});

    const auto receiver = open_receiver(client, {.queue = queue, .dead_letter = dead});
    CHECK(receive(*receiver, 1)[0].item.payload() == "good");
    CHECK(eventually([&] { return client.depth(dead) == 2; }));
    CHECK(client.counters().malformed == 2);
    CHECK(mentions(client.notices(), queue));
    // The reason travels as an AMQP header, since the body cannot carry it.
    const auto header = shared_server().eval(
        "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + dead +
        "\">>)), {ok, _, {_, _, _, _, M}, _} = rabbit_amqqueue:basic_get(Q, true, self(), "
        "<<\"peek\">>, rabbit_queue_type:init()), io_lib:format(\"~p\", [M]).");
    CHECK_MESSAGE(header.find("x-ph-error") != std::string::npos, header);
    for (const auto& name : {dead, queue}) CHECK(client->topology().remove_queue(name).has_value());
}

TEST_CASE("a malformed body without a dead-letter queue is dropped with a notice") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    put_raw(queue, "\xff\xfe");
    client.send(queue, {"good"});
    {
        const auto receiver = open_receiver(client, {.queue = queue});
        const auto good = receive(*receiver, 1);
        CHECK(good[0].item.payload() == "good");
        REQUIRE(receiver->ack(std::array{good[0].tag}).has_value());
    }
    CHECK(client.depth(queue) == 0);
    CHECK(mentions(client.notices(), "dropped"));
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("an item whose dead-letter queue vanished is requeued, not lost") {
    Client client;
    const auto dead = unique_name("dead");
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = dead}, {.name = queue}}});
    client.send(queue, {"a"});
    const auto receiver = open_receiver(client, {.queue = queue, .dead_letter = dead});
    const auto first = receive(*receiver, 1);
    REQUIRE(client->topology().remove_queue(dead).has_value());
    REQUIRE(receiver->settle(first[0].tag, bus::Verdict::reject, "bad").has_value());
    const auto second = receive(*receiver, 1);
    CHECK(second[0].item.payload() == "a");
    CHECK(second[0].redelivered);
    CHECK(mentions(client.notices(), "requeued"));
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("a receiver whose queue is removed is told so") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto receiver = open_receiver(client, {.queue = queue});
    REQUIRE(client->topology().remove_queue(queue).has_value());
    CHECK(eventually([&] {
        const auto got = receiver->receive(1, 10ms);
        return !got && got.error().code == Errc::not_found;
    }));
}

TEST_CASE("a body of several frames arrives whole") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const std::string large(700'000, 'x');
    client.send(queue, {large, "small"});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto items = receive(*receiver, 2);
    CHECK(items[0].item.payload() == large);
    CHECK(items[1].item.payload() == "small");
    CHECK(client->topology().remove_queue(queue).has_value());
}
