#include "tests/simulation/puppets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::simulation;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;
using Manner = Puppets::Manner;

namespace {

// Two talkers and a listener with a queue for each, while one kind of fault is on.
struct Trio : Puppets {
    explicit Trio(FaultSet faults, FaultRates rates = {})
        : Puppets{{.faults = faults, .rates = rates}} {
        for (const char* name : {"anna", "bert", "listener"}) enter(name);
        REQUIRE(declare("listener", {.name = "a"}, "a.#"));
        REQUIRE(declare("listener", {.name = "b"}, "b.#"));
    }
    void listen_to_both() {
        REQUIRE(listen("listener", "a"));
        REQUIRE(listen("listener", "b"));
    }
    // Alternating, so that the listener hears 0, 1, 2... unless something overtakes.
    Words talk(int count, bus::Persistence persistence = bus::Persistence::persistent) {
        Words said;
        for (int i = 0; i < count; ++i) {
            const bool anna = i % 2 == 0;
            said.push_back(std::to_string(i));
            REQUIRE(say(anna ? "anna" : "bert", anna ? "a.x" : "b.x", said.back(), persistence));
            pass(2ms);
        }
        pass(30s);
        return said;
    }
    Words heard_from(int parity) {
        Words out;
        std::ranges::copy_if(heard["listener"], std::back_inserter(out), [&](const auto& word) {
            return std::stoi(word) % 2 == parity;
        });
        return out;
    }
};

bool ascending(const Words& words) {
    return std::ranges::is_sorted(
        words, {}, [](const std::string& word) { return std::stoi(word); });
}

constexpr int many = 200;

} // namespace

TEST_CASE("without faults everything arrives once, in order, after two short legs") {
    Trio trio{FaultSet::none()};
    trio.listen_to_both();
    CHECK(trio.talk(many) == trio.heard["listener"]);
    for (const Fault fault : FaultSet::all().kinds()) CHECK(trio.world.count(fault) == 0);
}

TEST_CASE("delay lets publishers overtake each other but never a publisher itself") {
    Trio trio{FaultSet::none().with(Fault::delay)};
    trio.listen_to_both();
    trio.talk(many);
    CHECK(trio.heard["listener"].size() == many);
    CHECK(trio.world.count(Fault::delay) > 0);
    CHECK_FALSE(ascending(trio.heard["listener"]));
    CHECK(ascending(trio.heard_from(0)));
    CHECK(ascending(trio.heard_from(1)));
}

TEST_CASE("reorder lets queues overtake each other but keeps the order within each") {
    Trio trio{FaultSet::none().with(Fault::reorder)};
    trio.listen_to_both();
    trio.talk(many);
    CHECK(trio.heard["listener"].size() == many);
    CHECK(trio.world.count(Fault::reorder) > 0);
    CHECK_FALSE(ascending(trio.heard["listener"]));
    CHECK(ascending(trio.heard_from(0)));
}

TEST_CASE("reorder puts a returned message anywhere into its queue") {
    std::set<Words> orders;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Puppets puppets{{.seed = seed, .faults = FaultSet::none().with(Fault::reorder)}};
        puppets.enter("one");
        REQUIRE(puppets.declare("one", {.name = "q"}, "k"));
        REQUIRE(puppets.listen("one", "q", Manner::keep, 1));
        for (const char* body : {"1", "2", "3"}) REQUIRE(puppets.say("one", "k", body));
        puppets.pass(10s);
        puppets.kept("one").front().requeue();
        puppets.stop_listening("one");
        puppets.pass(10s);
        REQUIRE(puppets.listen("one", "q", Manner::ack, 1));
        puppets.pass(30s);
        orders.insert(puppets.heard["one"]);
    }
    CHECK(orders.size() > 1);
}

TEST_CASE("duplicate delivers some messages twice and loses none") {
    Trio trio{FaultSet::none().with(Fault::duplicate)};
    trio.listen_to_both();
    const auto said = trio.talk(many);
    const auto& heard = trio.heard["listener"];
    CHECK(heard.size() == many + trio.world.count(Fault::duplicate));
    CHECK(heard.size() > many);
    CHECK(std::set<std::string>(heard.begin(), heard.end()).size() == said.size());
}

TEST_CASE("a publish whose confirm was lost is sent again, but only where duplicates may be") {
    for (const bool duplicates : {false, true}) {
        FaultRates rates;
        rates.duplicate = 0; // none but those of lost confirms
        auto faults = FaultSet::none();
        Trio trio{duplicates ? faults.with(Fault::duplicate) : faults, rates};
        REQUIRE(trio.say("anna", "a.x", "1"));
        trio.pass(1ms); // the broker has it, the confirm is on its way
        trio.world.cut("anna", 1s);
        trio.pass(5s);
        CHECK(trio.topology("bert").inspect("a")->depth == (duplicates ? 2 : 1));
    }
}

TEST_CASE("loss takes transient messages and never a persistent one") {
    Trio trio{FaultSet::none().with(Fault::loss)};
    trio.listen_to_both();
    CHECK(trio.talk(many) == trio.heard["listener"]);
    CHECK(trio.world.count(Fault::loss) == 0);
    trio.heard.clear();
    trio.talk(many, bus::Persistence::transient);
    CHECK(trio.world.count(Fault::loss) > 0);
    CHECK(trio.heard["listener"].size() == many - trio.world.count(Fault::loss));
}

TEST_CASE("a storm brings the faults that are on, those alone, and calm ends them") {
    for (const Fault fault :
         {Fault::slow_consumer, Fault::partition, Fault::broker_restart, Fault::crash}) {
        Puppets puppets{{.faults = FaultSet::none().with(fault)}};
        puppets.add("one");
        puppets.add("two");
        // Something to do, so that there are deliveries to be slow with.
        for (int i = 1; i < 60; ++i) {
            puppets.world.at(TimePoint{i * 1s}, [&] {
                if (!puppets.world.lives("one")) return;
                if (puppets.declare("one", {.name = "q"}, "k") && puppets.listen("one", "q")) {
                    REQUIRE(puppets.say("one", "k", "x"));
                }
            });
        }
        REQUIRE_FALSE(puppets.world.run({.storm = 60s}).violation);
        for (const Fault any : FaultSet::all().kinds()) {
            CHECK_MESSAGE((puppets.world.count(any) > 0) == (any == fault), name_of(any));
        }
        puppets.pass(1s);
        for (const char* name : {"one", "two"}) {
            CHECK(puppets.world.lives(name));
            CHECK(puppets.host(name).connection().link() == bus::Link::up);
        }
    }
}

TEST_CASE("a component can die between any two effects of one handler, and none happens after") {
    std::set<std::size_t> written;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        FaultRates rates;
        rates.crash_point = 0.2;
        Puppets puppets{
            {.seed = seed, .faults = FaultSet::none().with(Fault::crash), .rates = rates}};
        puppets.enter("writer");
        auto& disk = puppets.host("writer").disk();
        for (const char* key : {"1", "2", "3"}) disk.write(key, "x");
        const auto& entries = puppets.world.disk("writer").entries();
        written.insert(entries.size());
        if (!entries.empty()) CHECK(entries.rbegin()->first == std::to_string(entries.size()));
    }
    CHECK(written == std::set<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("a list of faults reads back as it was written, and a wrong one names the choices") {
    const auto some = FaultSet::none().with(Fault::crash).with(Fault::slow_consumer);
    CHECK(FaultSet::parse(some.text()).value() == some);
    CHECK(FaultSet::parse("all").value() == FaultSet::all());
    CHECK(FaultSet::parse("none").value() == FaultSet::none());
    for (const char* wrong : {"", "crash,", "rain", "crash,,loss"}) {
        const auto parsed = FaultSet::parse(wrong);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().detail.find("broker-restart") != std::string::npos);
    }
}
