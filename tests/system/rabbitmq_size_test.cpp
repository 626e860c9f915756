// Bodies that are too large are refused before they are sent, and cost nobody the connection.
#include "tests/system/rabbitmq_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

using namespace hive;
using namespace hive::tests;

namespace {

constexpr std::size_t item_bound = 4UL * 1024 * 1024;     // of wire's work item decoder
constexpr std::size_t envelope_bound = 1UL * 1024 * 1024; // of its envelope decoder

wire::WorkItem large_item(std::size_t payload_bytes) {
    auto made = item("large");
    made.steps.front().payload = std::string(payload_bytes, 'x');
    return made;
}

void check_names(const Error& error, std::initializer_list<std::string> words) {
    CHECK(error.code == Errc::invalid);
    for (const auto& word : words) {
        CHECK_MESSAGE(error.detail.find(word) != std::string::npos, error.detail);
    }
}

void check_untouched(Client& client) {
    CHECK(client->link() == bus::Link::up);
    CHECK(client.counters().reconnects == 0);
}

// The broker's own bound, for channels opened from now on.
class BrokerBound {
public:
    explicit BrokerBound(std::size_t bytes) { set(std::to_string(bytes)); }
    ~BrokerBound() { set("134217728"); }
    BrokerBound(const BrokerBound&) = delete;
    BrokerBound& operator=(const BrokerBound&) = delete;

private:
    static void set(const std::string& bytes) {
        shared_server().eval("application:set_env(rabbit, max_message_size, " + bytes + ").");
    }
};

} // namespace

TEST_CASE("an item over the bound is refused with its whole batch and the sender goes on") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    std::array batch{item("before"), large_item(item_bound), item("after")};
    const auto sent = sender->send(straight_to(queue), batch, patience);
    REQUIRE(!sent.has_value());
    check_names(sent.error(), {"item 2 of 3", queue, std::to_string(item_bound), "4194"});
    CHECK(sender->accepted() == 0);
    for (const auto& each : batch) CHECK(!each.steps.empty()); // still the caller's

    std::array good{std::move(batch[0]), std::move(batch[2])};
    REQUIRE(sender->send(straight_to(queue), good, patience).value_or(0) == 2);
    CHECK(sender->flush(patience).has_value());
    CHECK(client.depth(queue) == 2);
    check_untouched(client);
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("an item just under the bound arrives") {
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    std::array batch{large_item(item_bound - 2000)};
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    const auto receiver = open_receiver(client, {.queue = queue});
    CHECK(receive(*receiver, 1)[0].item.payload().size() == item_bound - 2000);
    CHECK(client->topology().remove_queue(queue).has_value());
}

TEST_CASE("an envelope over the bound is refused and the next one goes out") {
    Client client;
    client.declare({.exchanges = {{.name = "ph.control"}}});
    const auto published = client->control().publish(
        {"event.large", std::string(envelope_bound + 1, 'x')}, bus::Persistence::persistent);
    REQUIRE(!published.has_value());
    check_names(published.error(), {"event.large", "1048577", "1048576"});
    CHECK(client->control().publish({"event.small", "{}"}, bus::Persistence::persistent));
    CHECK(client->control().flush(patience).has_value());
    check_untouched(client);
}

TEST_CASE("a copy that outgrew the bound is refused and its original can still be settled") {
    Client client{shared_server().url(), {.message_bytes_max = 10'000}};
    const auto queue = unique_name("queue");
    const auto dead = unique_name("dead");
    client.declare({.queues = {{.name = queue}, {.name = dead}}});
    client.send(queue, {"a"});
    const auto receiver = open_receiver(client, {.queue = queue, .dead_letter = dead});
    const auto got = receiver->receive(1, patience);
    REQUIRE(got.has_value());
    REQUIRE(got->size() == 1);
    bus::Delivered& delivered = got->front();
    delivered.item.steps.front().payload = std::string(20'000, 'x');
    for (const auto verdict : {bus::Verdict::retry, bus::Verdict::reject}) {
        const auto settled = receiver->settle(delivered.tag, verdict, "why");
        REQUIRE(!settled.has_value());
        check_names(settled.error(), {"10000"});
    }
    REQUIRE(receiver->ack(std::array{delivered.tag}).has_value());
    check_untouched(client);
    for (const auto& name : {dead, queue}) CHECK(client->topology().remove_queue(name).has_value());
}

TEST_CASE("a broker with a smaller bound than ours fails that sender and nothing else") {
    const BrokerBound bound{50'000};
    Client client;
    const auto queue = unique_name("queue");
    client.declare({.exchanges = {{.name = "ph.control"}}, .queues = {{.name = queue}}});
    const auto sender = open_sender(client);
    std::array batch{large_item(60'000)};
    REQUIRE(sender->send(straight_to(queue), batch, patience).value_or(0) == 1);
    const auto flushed = sender->flush(patience);
    REQUIRE(!flushed.has_value());
    check_names(flushed.error(), {"50000", "max_message_size"});

    // Told once, and what was published beside it arrives.
    REQUIRE(client->control().publish(
        {"event.large", std::string(60'000, 'x')}, bus::Persistence::persistent));
    const auto told = client->control().flush(patience);
    REQUIRE(!told.has_value());
    check_names(told.error(), {"max_message_size"});
    CHECK(client->control().publish({"event.small", "{}"}, bus::Persistence::persistent));
    CHECK(client->control().flush(patience).has_value());
    client.send(queue, {"small"});
    CHECK(client.depth(queue) == 1);
    check_untouched(client);
    CHECK(client->topology().remove_queue(queue).has_value());
}
