#include "bus/item_refs.hpp"
#include "worker/choosing_sink.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::worker;

namespace {

struct Queues {
    std::vector<std::string> sent{}; // `queue:payload`
    std::uint64_t confirmed = 0;
    std::size_t room = 1000;
};

class Sender final : public bus::WorkSender {
public:
    explicit Sender(Queues& queues) : queues_{queues} {}
    Result<std::size_t>
    send(const bus::Route& route, bus::ItemRefs items, Duration /*wait*/) override {
        std::size_t taken = 0;
        for (const wire::WorkItem* item : items) {
            if (queues_.sent.size() == queues_.room) break;
            queues_.sent.push_back(route.key + ":" + std::string{item->payload()});
            ++taken;
        }
        return taken;
    }
    std::uint64_t accepted() const override { return queues_.sent.size(); }
    std::uint64_t confirmed() const override { return queues_.confirmed; }
    Status flush(Duration /*within*/) override { return {}; }

private:
    Queues& queues_;
};

class Bus final : public bus::WorkBus {
public:
    explicit Bus(Queues& queues) : queues_{queues} {}
    Result<std::unique_ptr<bus::WorkSender>> open_sender(bus::SenderOptions /*options*/) override {
        return std::make_unique<Sender>(queues_);
    }
    Result<std::unique_ptr<bus::WorkReceiver>>
    open_receiver(bus::ReceiverOptions /*options*/) override {
        return fail(Errc::not_found, "nothing comes in here");
    }

private:
    Queues& queues_;
};

struct SinkUnderTest {
    SinkUnderTest() {
        sink = ChoosingSink::open(
                   {}, {.setup = setup,
                        .bus = bus,
                        .clock = clock,
                        .ring = {},
                        .sequences = std::make_shared<templates::LocalSequences>()})
                   .value();
    }
    std::size_t send(std::vector<std::string> payloads) {
        std::vector<wire::WorkItem> items;
        for (auto& payload : payloads) {
            items.push_back({.steps = {{.payload = std::move(payload), .by = {"x", "x-1"}}}});
        }
        return sink->send(bus::refs_of(items)).value();
    }
    std::uint64_t unrouted() const {
        json::object said;
        sink->report(said);
        return said.at("unrouted").to_number<std::uint64_t>();
    }

    Setup setup{
        .self =
            {SwarmId::parse("alpha").value(), Role::parse("x").value(),
             InstanceId::parse("alpha-x-1").value()},
        .ports = {
            .exchange = "e",
            .out = {{"a", "qa"}, {"b", "qb"}},
            .selectors = {
                {"a", SelectPolicy::all, "payload contains 'a'"},
                {"b", SelectPolicy::all, "payload contains 'b'"}}}};
    SystemClock clock{};
    Queues queues{};
    Bus bus{queues};
    std::unique_ptr<Sink> sink{};
};

} // namespace

TEST_SUITE("a sink that chooses") {
    TEST_CASE("an item is confirmed once all its copies are, in order") {
        SinkUnderTest under;
        CHECK(under.send({"ab", "x", "a", "b"}) == 4);
        CHECK(under.queues.sent == std::vector<std::string>{"qa:ab", "qb:ab", "qa:a", "qb:b"});
        CHECK(under.sink->accepted() == 4);
        CHECK(under.sink->confirmed() == 0);
        under.queues.confirmed = 1; // one of two copies
        CHECK(under.sink->confirmed() == 0);
        under.queues.confirmed = 2;
        CHECK(under.sink->confirmed() == 2); // with it the one that nobody wants
        CHECK(under.unrouted() == 1);
        under.queues.confirmed = 4;
        CHECK(under.sink->confirmed() == 4);
        CHECK(under.send({"a"}) == 1);
        CHECK(under.sink->accepted() == 5);
        CHECK(under.sink->confirmed() == 4);
    }
    TEST_CASE("an item that nobody wants is done at once when nothing is before it") {
        SinkUnderTest under;
        CHECK(under.send({"x", "y"}) == 2);
        CHECK(under.sink->confirmed() == 2);
        CHECK(under.unrouted() == 2);
        CHECK(under.queues.sent.empty());
    }
    TEST_CASE("without room it goes on with the copy it had come to") {
        SinkUnderTest under;
        under.queues.room = 2;
        CHECK(under.send({"a", "ab"}) == 1);
        CHECK(under.queues.sent == std::vector<std::string>{"qa:a", "qa:ab"});
        CHECK(under.sink->accepted() == 1);
        CHECK(under.send({"ab"}) == 0);
        under.queues.room = 1000;
        CHECK(under.send({"ab", "b"}) == 2);
        CHECK(under.queues.sent == std::vector<std::string>{"qa:a", "qa:ab", "qb:ab", "qb:b"});
    }
}
