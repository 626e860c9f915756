// Heartbeats keep time: a connection without traffic lives on, a broker that hangs is noticed.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <set>

using namespace hive;
using namespace hive::tests;

namespace {

std::string each_second() {
    return fmt::format("{}?heartbeat=1", shared_server().url());
}

// Both sides look twice an interval and give up after two without a sign; as much again for a busy
// machine.
constexpr auto noticed_within = 4s;

class Frozen {
public:
    Frozen() { shared_server().freeze(); }
    ~Frozen() { shared_server().thaw(); }
    Frozen(const Frozen&) = delete;
    Frozen& operator=(const Frozen&) = delete;
};

// One of its two connections may have missed nothing: the broker went on in time for that.
bool is_back(Client& client) {
    return eventually(
        [&] { return client.counters().reconnects >= 1 && client->link() == bus::Link::up; });
}

// All that was confirmed, whatever came twice.
std::set<std::string> payloads_in(Client& client, const std::string& queue, std::size_t wanted) {
    const auto receiver = open_receiver(client, {.queue = queue});
    std::set<std::string> seen;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (seen.size() < wanted && std::chrono::steady_clock::now() < end) {
        const auto some = receiver->receive(64, 200ms);
        REQUIRE(some.has_value());
        for (const auto& one : *some) {
            seen.insert(std::string{one.item.payload()});
            REQUIRE(receiver->ack(std::array{one.tag}).has_value());
        }
    }
    return seen;
}

} // namespace

TEST_CASE("a connection that nobody uses outlives many heartbeats") {
    Client client{each_second()};
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto sender = open_sender(client);
    std::this_thread::sleep_for(6s);
    CHECK_FALSE(client.links.heard(bus::Link::away));
    CHECK(client.counters().reconnects == 0);
    std::array batch{item("after")};
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    REQUIRE(sender->flush(patience).has_value());
    CHECK(receive(*receiver, 1)[0].item.payload() == "after");
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("a broker that hangs is noticed by its heartbeats, and nothing confirmed is lost") {
    Client client{each_second()};
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    std::set<std::string> wanted;
    const auto send = [&](int from, int to) {
        for (int i = from; i < to; ++i) {
            std::array batch{item(std::to_string(i))};
            REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
            wanted.insert(std::to_string(i));
        }
    };
    send(0, 100);
    REQUIRE(sender->flush(patience).has_value());
    REQUIRE(sender->confirmed() == 100);
    {
        const Frozen frozen;
        const auto since = std::chrono::steady_clock::now();
        send(100, 120); // nobody confirms these yet
        REQUIRE(eventually([&] { return client.links.heard(bus::Link::away); }));
        CHECK(std::chrono::steady_clock::now() - since < noticed_within);
        const auto reason = client.links.last_reason(bus::Link::away);
        CHECK_MESSAGE(reason.find("no heartbeat") != std::string::npos, reason);
        CHECK(sender->confirmed() == 100);
    }
    REQUIRE(is_back(client));
    send(120, 130);
    REQUIRE(sender->flush(patience).has_value());
    CHECK(sender->confirmed() == 130);
    CHECK(payloads_in(client, queue, wanted.size()) == wanted);
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE(
    "a writer before a full socket waits for a broker that goes on, and gives up one that hangs") {
    for (const bool hangs : {false, true}) {
        CAPTURE(hangs);
        Client client{hangs ? each_second() : shared_server().url()};
        const auto queue = unique_name("queue");
        client.declare({.queues = {{.name = queue}}});
        const auto sender = open_sender(client, {.window = 1000});
        std::set<std::string> wanted;
        std::vector<wire::WorkItem> items;
        for (int i = 0; i < 600; ++i) { // more than the buffers of both sides hold
            items.push_back(item(fmt::format("{:030000}", i)));
            wanted.insert(std::string{items.back().payload()});
        }
        {
            const Frozen frozen;
            REQUIRE(sender->send(straight_to(queue), items, patience).value_or(0) == 600);
            if (hangs)
                REQUIRE(eventually([&] { return client.links.heard(bus::Link::away); }));
            else
                CHECK_FALSE(sender->flush(1s).has_value());
        }
        REQUIRE(sender->flush(patience).has_value());
        CHECK((client.counters().reconnects > 0) == hangs);
        CHECK(payloads_in(client, queue, wanted.size()) == wanted);
        CHECK(client->topology().remove_queue(queue).has_value());
    }
}

TEST_CASE("of a broker that hangs, what was delivered and not acknowledged comes back") {
    Client client{each_second()};
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    client.send(queue, {"a", "b", "c"});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto held = receive(*receiver, 3);
    {
        const Frozen frozen;
        REQUIRE(eventually([&] { return client.links.heard(bus::Link::away); }));
        std::this_thread::sleep_for(noticed_within); // until the other connection is lost as well
    }
    REQUIRE(client.reconnected(1));
    const auto again = receive(*receiver, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(again[i].item == held[i].item);
        CHECK(again[i].redelivered);
        REQUIRE(receiver->ack(std::array{again[i].tag}).has_value());
    }
    CHECK(eventually([&] { return client.depth(queue) == 0; }));
    CHECK(client->topology().remove_queue(queue).has_value());
}
