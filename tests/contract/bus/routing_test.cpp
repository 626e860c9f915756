#include "tests/contract/bus/party.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::contract;

TEST_CASE("a star stands for exactly one word of a key") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    party.bind(exchange, "event.*.alpha", queue);
    const auto rest = party.declare_queue();
    party.bind(exchange, "#", rest);

    party.send({exchange, "event.metric.alpha"}, {"one word"});
    party.send({exchange, "event.alpha"}, {"no word"});
    party.send({exchange, "event.metric.full.alpha"}, {"two words"});
    party.send({exchange, "event.metric.beta"}, {"other word"});

    CHECK(take(*party.open_receiver(rest), 4).size() == 4);
    const auto receiver = party.open_receiver(queue);
    CHECK(take(*receiver, 1) == Payloads{"one word"});
    CHECK(stays_empty(*receiver));
}

TEST_CASE("a hash stands for any number of words, also none") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    party.bind(exchange, "event.#.alpha", queue);
    const auto rest = party.declare_queue();
    party.bind(exchange, "#", rest);

    party.send({exchange, "event.alpha"}, {"none"});
    party.send({exchange, "event.metric.alpha"}, {"one"});
    party.send({exchange, "event.metric.full.alpha"}, {"two"});
    party.send({exchange, "event.metric.alpha.x"}, {"other end"});
    party.send({exchange, "signal.alpha"}, {"other start"});

    CHECK(take(*party.open_receiver(rest), 5).size() == 5);
    const auto receiver = party.open_receiver(queue);
    CHECK(take(*receiver, 3) == Payloads{"none", "one", "two"});
    CHECK(stays_empty(*receiver));
}

TEST_CASE("a queue bound twice to a key gets each message once") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    party.bind(exchange, "work.#", queue);
    party.bind(exchange, "work.*", queue);
    party.bind(exchange, "work.in", queue);

    party.send({exchange, "work.in"}, {"once"});

    const auto receiver = party.open_receiver(queue);
    CHECK(take(*receiver, 1) == Payloads{"once"});
    CHECK(stays_empty(*receiver));
}

TEST_CASE("every queue bound to a key gets its own copy") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto first = party.declare_queue();
    const auto second = party.declare_queue();
    const auto third = party.declare_queue();
    for (const auto& queue : {first, second, third}) party.bind(exchange, "work", queue);

    party.send({exchange, "work"}, {"a", "b"});

    for (const auto& queue : {first, second, third}) {
        const auto receiver = party.open_receiver(queue);
        const Batch batch = receive(*receiver, 2);
        CHECK(batch.payloads() == Payloads{"a", "b"});
        CHECK(batch.deliveries.at(0).item == item("a"));
    }
}

TEST_CASE("an item sent straight to a queue equals one sent through the exchange") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    party.bind(exchange, queue, queue);

    party.send({exchange, queue}, {"same"});
    party.send(straight_to(queue), {"same"});

    const auto receiver = party.open_receiver(queue);
    const Batch batch = receive(*receiver, 2);
    REQUIRE(batch.deliveries.size() == 2);
    CHECK(batch.deliveries[0].item == batch.deliveries[1].item);
    CHECK(batch.deliveries[0].attempt == batch.deliveries[1].attempt);
}

TEST_CASE("a binding works from the moment it is made until it is removed") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto always = party.declare_queue();
    const auto tap = party.declare_queue();
    party.bind(exchange, "work", always);
    const auto sender = party.open_sender();
    const auto send = [&](std::string payload) {
        std::vector<wire::WorkItem> one{item(std::move(payload))};
        REQUIRE(sender->send({exchange, "work"}, one, patience).value_or(0) == 1);
        REQUIRE(sender->flush(patience).has_value());
    };

    send("before");
    party.bind(exchange, "work", tap);
    send("while");
    REQUIRE(party.topology().unbind({exchange, "work", tap}).has_value());
    send("after");

    const auto receiver = party.open_receiver(tap);
    CHECK(take(*receiver, 1) == Payloads{"while"});
    CHECK(stays_empty(*receiver));
    CHECK(take(*party.open_receiver(always), 3) == Payloads{"before", "while", "after"});
}

TEST_CASE("binding and unbinding may be repeated") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    const bus::Binding binding{exchange, "work", queue};
    CHECK(party.topology().bind(binding).has_value());
    CHECK(party.topology().bind(binding).has_value());
    party.send({exchange, "work"}, {"once"});
    CHECK(party.topology().unbind(binding).has_value());
    CHECK(party.topology().unbind(binding).has_value());
    CHECK(party.depth(queue) == 1);
}

TEST_CASE("binding what does not exist is not_found") {
    Party party;
    const auto exchange = party.declare_exchange();
    const auto queue = party.declare_queue();
    const auto no_queue = party.topology().bind({exchange, "work", unique_name("none")});
    REQUIRE(!no_queue.has_value());
    CHECK(no_queue.error().code == Errc::not_found);
    const auto no_exchange = party.topology().bind({unique_name("none"), "work", queue});
    REQUIRE(!no_exchange.has_value());
    CHECK(no_exchange.error().code == Errc::not_found);
}
