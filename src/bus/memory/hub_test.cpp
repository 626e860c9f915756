#include "bus/memory/hub.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

using namespace hive;
using namespace hive::bus;
using namespace std::chrono_literals;

namespace {

// Moved by hand, read by the hub's own thread meanwhile.
class SharedClock final : public Clock {
public:
    TimePoint now() const override { return TimePoint{Duration{elapsed_}}; }
    Timestamp wall() const override { return Timestamp{Duration{elapsed_}}; }
    void advance(Duration by) { elapsed_ += by.count(); }

private:
    std::atomic<Duration::rep> elapsed_{0};
};

bool eventually(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

std::vector<wire::WorkItem> batch_of(std::size_t count) {
    std::vector<wire::WorkItem> batch(count);
    for (std::size_t i = 0; i < count; ++i) {
        batch[i].trace_id = std::to_string(i);
        batch[i].steps.emplace_back();
    }
    return batch;
}

struct World {
    SharedClock clock;
    memory::Hub hub;
    std::unique_ptr<Connection> connection;

    explicit World(memory::Options options = {})
        : hub{clock, options}, connection{hub.connect(Grants::everything())} {}

    void declare(Queue queue) {
        REQUIRE(connection->topology().declare({.queues = {std::move(queue)}}).has_value());
    }
    std::size_t send(const std::string& queue, std::size_t count) {
        auto batch = batch_of(count);
        const auto sender = connection->work().open_sender({});
        return (*sender)->send({"", queue}, batch, 0s).value();
    }
    QueueStats stats(const std::string& queue) {
        return connection->topology().inspect(queue).value();
    }
    std::unique_ptr<WorkReceiver> receiver(ReceiverOptions options) {
        return connection->work().open_receiver(std::move(options)).value();
    }
};

} // namespace

TEST_CASE("the age of the oldest item follows the hub's clock") {
    World world;
    world.declare({.name = "q"});
    CHECK(!world.stats("q").oldest_age);
    world.send("q", 1);
    world.clock.advance(2s);
    world.send("q", 1);
    world.clock.advance(1s);
    CHECK(world.stats("q").oldest_age == 3s);
    const auto receiver = world.receiver({.queue = "q"});
    CHECK(receiver->receive(1, 0s)->size() == 1);
    CHECK(world.stats("q").oldest_age == 1s);
}

TEST_CASE("a message expires at its age exactly, seen by a receiver and by an inspection") {
    World world{{.sweep_every = 1h}};
    world.declare({.name = "dead"});
    world.declare({.name = "q", .message_ttl = 10s, .dead_letter = "dead"});
    world.send("q", 2);
    world.clock.advance(10s - 1ns);
    CHECK(world.stats("q").depth == 2);
    world.clock.advance(1ns);
    CHECK(world.receiver({.queue = "q"})->receive(5, 0s)->empty());
    CHECK(world.stats("dead").depth == 2);
}

TEST_CASE("a message that nobody looks at expires by the sweep") {
    World world{{.sweep_every = 1ms}};
    world.declare({.name = "dead"});
    world.declare({.name = "q", .message_ttl = 10s, .dead_letter = "dead"});
    world.send("q", 3);
    world.clock.advance(11s);
    CHECK(eventually([&] { return world.stats("dead").depth == 3; }));
}

TEST_CASE("a queue without a bound of its own has the hub's") {
    World world{{.default_max_length = 100}};
    world.declare({.name = "q"});
    CHECK(world.send("q", 150) == 100);
    CHECK(world.send("q", 1) == 0);
    CHECK(world.stats("q").depth == 100);
}

TEST_CASE("a fan-out takes only what every queue has room for") {
    World world;
    world.declare({.name = "wide"});
    world.declare({.name = "narrow", .max_length = 3});
    auto& topology = world.connection->topology();
    REQUIRE(topology.declare({.exchanges = {{.name = "x"}}}).has_value());
    for (const char* queue : {"wide", "narrow"})
        REQUIRE(topology.bind({"x", "k", queue}).has_value());
    auto batch = batch_of(5);
    const auto sender = world.connection->work().open_sender({});
    CHECK((*sender)->send({"x", "k"}, batch, 0s).value() == 3);
    CHECK(world.stats("wide").depth == 3);
    CHECK(world.stats("narrow").depth == 3);
    CHECK(!batch[3].steps.empty());
    CHECK((*sender)->send({"x", "k"}, std::span{batch}.subspan(3), 0s).value() == 0);
    CHECK(world.stats("wide").depth == 3);
}

TEST_CASE("a full control queue that pushes back refuses the message for all") {
    World world;
    auto& topology = world.connection->topology();
    REQUIRE(topology
                .declare(
                    {.exchanges = {{.name = "ph.control"}},
                     .queues = {{.name = "wide"}, {.name = "narrow", .max_length = 1}},
                     .bindings = {{"ph.control", "k", "wide"}, {"ph.control", "k", "narrow"}}})
                .has_value());
    auto& control = world.connection->control();
    CHECK(control.publish({"k", "1"}, Persistence::transient).has_value());
    const auto refused = control.publish({"k", "2"}, Persistence::transient);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == Errc::limit);
    CHECK(refused.error().detail.find("narrow") != std::string::npos);
    CHECK(world.stats("wide").depth == 1);
}

TEST_CASE("what is out of bounds is refused as invalid") {
    World world{{.queues_max = 2, .control_body_max = 10}};
    auto& topology = world.connection->topology();
    const auto code = [&](const Queue& queue) {
        const auto declared = topology.declare({.queues = {queue}});
        return declared ? std::optional<Errc>{} : declared.error().code;
    };
    CHECK(code({.name = ""}) == Errc::invalid);
    CHECK(code({.name = std::string(256, 'x')}) == Errc::invalid);
    CHECK(code({.name = "q", .max_length = 0}) == Errc::invalid);
    CHECK(!code({.name = "q"}));
    CHECK(!code({.name = std::string(255, 'x')}));
    CHECK(code({.name = "r"}) == Errc::limit);

    auto& work = world.connection->work();
    CHECK(work.open_receiver({.queue = "q", .prefetch = 0}).error().code == Errc::invalid);
    CHECK(work.open_receiver({.queue = "q", .max_attempts = 0}).error().code == Errc::invalid);
    REQUIRE(topology.declare({.exchanges = {{.name = "ph.control"}}}).has_value());
    auto& control = world.connection->control();
    CHECK(control.publish({"k", std::string(10, 'x')}, Persistence::transient).has_value());
    const auto big = control.publish({"k", std::string(11, 'x')}, Persistence::transient);
    CHECK(big.error().code == Errc::invalid);
}

TEST_CASE("a full dead-letter queue keeps a rejected item unsettled") {
    World world;
    world.declare({.name = "dead", .max_length = 1});
    world.declare({.name = "q"});
    world.send("q", 2);
    const auto receiver = world.receiver({.queue = "q", .dead_letter = "dead"});
    const auto got = receiver->receive(2, 0s);
    REQUIRE(got->size() == 2);
    CHECK(receiver->settle((*got)[0].tag, Verdict::reject, "bad").has_value());
    const auto tag = (*got)[1].tag;
    const auto refused = receiver->settle(tag, Verdict::reject, "bad");
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == Errc::limit);
    CHECK((*got)[1].item.headers.empty());
    CHECK(world.connection->topology().purge("dead").value() == 1);
    CHECK(receiver->settle(tag, Verdict::reject, "bad").has_value());
    CHECK(world.hub.lost() == 0);
}

TEST_CASE("evicted messages that the dead-letter queue cannot take are counted as lost") {
    World world;
    world.declare({.name = "dead", .max_length = 1});
    world.declare(
        {.name = "q", .max_length = 1, .overflow = Overflow::drop_oldest, .dead_letter = "dead"});
    world.send("q", 4);
    CHECK(world.stats("dead").depth == 1);
    CHECK(world.hub.lost() == 2);
}

TEST_CASE("queues that are each other's dead letters do not hang the bus") {
    World world;
    for (const auto& [name, dead] : {std::pair{"a", "b"}, std::pair{"b", "a"}}) {
        world.declare(
            {.name = name,
             .max_length = 1,
             .overflow = Overflow::drop_oldest,
             .dead_letter = dead});
    }
    world.send("a", 5);
    CHECK(world.stats("a").depth == 1);
    CHECK(world.stats("b").depth == 1);
    CHECK(world.hub.lost() == 3);
}

TEST_CASE("an item moved out and never acknowledged counts as sent on") {
    World world;
    world.declare({.name = "q"});
    world.send("q", 2);
    {
        const auto receiver = world.receiver({.queue = "q"});
        const auto got = receiver->receive(2, 0s);
        REQUIRE(got->size() == 2);
        const wire::WorkItem gone = std::move((*got)[0].item);
        const auto settled = receiver->settle((*got)[0].tag, Verdict::requeue, "");
        REQUIRE(!settled.has_value());
        CHECK(settled.error().code == Errc::invalid);
    }
    CHECK(world.stats("q").depth == 1);
}

TEST_CASE("settling a tag twice or one that never was is invalid") {
    World world;
    world.declare({.name = "q"});
    world.send("q", 1);
    const auto receiver = world.receiver({.queue = "q"});
    const std::array tags{(*receiver->receive(1, 0s))[0].tag};
    CHECK(receiver->ack(tags).has_value());
    CHECK(receiver->ack(tags).error().code == Errc::invalid);
    CHECK(receiver->settle(999'999, Verdict::reject, "").error().code == Errc::invalid);
}

TEST_CASE("grants hold on every port of a connection") {
    World world;
    const auto alpha = SwarmId::parse("alpha").value();
    const auto bee = InstanceId::parse("alpha-generator-1").value();
    const auto party =
        world.hub.connect(Grants::worker(alpha, Role::parse("generator").value(), bee));
    const auto foreign = std::string{"ph.work.beta.gen"};
    world.declare({.name = foreign});
    REQUIRE(world.connection->topology().declare({.exchanges = {{.name = "ph.control"}}}));

    const auto code = [](const auto& result) { return result.error().code; };
    auto& topology = party->topology();
    CHECK(code(topology.declare({.queues = {{.name = foreign}}})) == Errc::denied);
    CHECK(code(topology.declare({.exchanges = {{.name = "ph.beta.hive"}}})) == Errc::denied);
    CHECK(code(topology.bind({"ph.control", "#", foreign})) == Errc::denied);
    CHECK(code(topology.unbind({"ph.control", "#", foreign})) == Errc::denied);
    CHECK(code(topology.inspect(foreign)) == Errc::denied);
    CHECK(code(topology.purge(foreign)) == Errc::denied);
    CHECK(code(topology.remove_queue(foreign)) == Errc::denied);
    CHECK(code(topology.remove_exchange("ph.control")) == Errc::denied);
    CHECK(code(party->work().open_receiver({.queue = foreign})) == Errc::denied);
    CHECK(
        code(party->work().open_receiver({.queue = "ph.work.alpha.gen", .dead_letter = foreign})) ==
        Errc::denied);
    CHECK(code(party->control().consume(foreign, [](ControlDelivery) {}, 1)) == Errc::denied);
    CHECK(
        code(party->control().publish(
            {"signal.swarm-stop.alpha.x.y", "{}"}, Persistence::persistent)) == Errc::denied);
    auto sender = party->work().open_sender({});
    auto batch = batch_of(1);
    CHECK(code((*sender)->send({"", foreign}, batch, 0s)) == Errc::denied);
    CHECK(world.stats(foreign).depth == 0);
}

TEST_CASE("a connection tells its listener once that it was closed") {
    World world;
    std::atomic<int> calls{0};
    const auto connection = world.hub.connect(
        Grants::everything(), [&](Link link, std::string_view) { calls += link == Link::closed; });
    CHECK(connection->link() == Link::up);
    CHECK(connection->close(1s).has_value());
    CHECK(connection->close(1s).has_value());
    CHECK(calls == 1);
}
