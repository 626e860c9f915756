// close() keeps its deadline in every state.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <optional>

using namespace hive;
using namespace hive::tests;

namespace {

using SteadyClock = std::chrono::steady_clock;

// Generous about a busy machine, far below what a stuck close would take.
constexpr auto overrun = 5s;

Status close_in_time(Client& client, Duration within) {
    const auto begin = SteadyClock::now();
    auto closed = client->close(within);
    CHECK(SteadyClock::now() - begin < within + overrun);
    CHECK(client->link() == bus::Link::closed);
    return closed;
}

} // namespace

TEST_CASE("a connection with traffic closes in time and what was accepted is confirmed") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto receiver = open_receiver(client, {.queue = queue});
    const auto sender = open_sender(client);
    std::vector<wire::WorkItem> items;
    for (int i = 0; i < 200; ++i) items.push_back(item(std::to_string(i)));
    REQUIRE(sender->send(straight_to(queue), items, patience).value_or(0) == 200);
    CHECK(close_in_time(client, 30s).has_value());
    CHECK(sender->confirmed() == 200);
    CHECK(client.links.last_reason(bus::Link::closed) == "closed by its owner");

    Client other;
    CHECK(eventually([&] { return other.depth(queue) == 200; }));
    CHECK(other->topology().remove_queue(queue).has_value());
}

TEST_CASE("with an alarm on, close says what was left at its deadline") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    shared_server().set_alarm();
    // The broker tells a connection of the alarm only when it publishes, and a little later.
    REQUIRE(eventually([&] {
        std::array one{item("before")};
        return sender->send(straight_to(queue), one, 0s).has_value() &&
               client->link() == bus::Link::blocked;
    }));
    const auto closed = close_in_time(client, 300ms);
    // Counted afterwards: the broker may still confirm what it took before the alarm.
    const auto left = sender->accepted() - sender->confirmed();
    REQUIRE(left > 0);
    REQUIRE(!closed.has_value());
    CHECK(closed.error().code == Errc::timeout);
    CHECK(closed.error().detail.find(std::to_string(left) + " message") != std::string::npos);
    shared_server().clear_alarm();
    Client other;
    CHECK(other->topology().remove_queue(queue).has_value());
}

TEST_CASE("a writer stuck in a full socket does not hold up close") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    shared_server().set_alarm();
    // More than the socket buffers take, in bodies too large to stop in between.
    std::vector<wire::WorkItem> items;
    for (int i = 0; i < 16; ++i) items.push_back(item(std::string(2'000'000, 'x')));
    REQUIRE(sender->send(straight_to(queue), items, patience).value_or(0) == 16);
    const auto closed = close_in_time(client, 500ms);
    CHECK(closed.error().code == Errc::timeout);
    shared_server().clear_alarm();
    Client other;
    CHECK(other->topology().remove_queue(queue).has_value());
}

TEST_CASE("while the broker is away close gives up at its deadline, or at once with nothing left") {
    Client idle;
    Client busy;
    const auto queue = unique_name("queue");
    idle.declare({.queues = {{.name = queue}}});
    const auto receiver = open_receiver(idle, {.queue = queue});
    const auto sender = open_sender(busy);
    std::optional<Absence> absence{std::in_place};
    REQUIRE(eventually(
        [&] { return idle->link() == bus::Link::away && busy->link() == bus::Link::away; }));
    std::array batch{item("waiting")};
    REQUIRE(sender->send(straight_to(queue), batch, 0s).value_or(0) == 1);

    CHECK(close_in_time(idle, patience).has_value());
    CHECK(receiver->receive(1, patience).error().code == Errc::closed);
    CHECK(close_in_time(busy, 300ms).error().code == Errc::timeout);
    CHECK(sender->send(straight_to(queue), batch, patience).error().code == Errc::closed);

    absence.reset();
    Client other;
    CHECK(other->topology().remove_queue(queue).has_value());
}

TEST_CASE("a connection attempt to a silent host does not hold up close") {
    // Frozen, the server accepts connections (its kernel does) and never answers.
    Client client;
    shared_server().freeze();
    const auto closed = close_in_time(client, 300ms);
    shared_server().thaw();
    CHECK(closed.has_value());
}
