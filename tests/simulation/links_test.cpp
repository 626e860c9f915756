#include "tests/simulation/puppets.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::simulation;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;
using Manner = Puppets::Manner;

namespace {

struct Pair : Puppets {
    explicit Pair(std::uint64_t seed = 1) : Puppets{{.seed = seed}} {
        enter("talker");
        enter("listener");
        REQUIRE(declare("listener", {.name = "q"}, "k"));
    }
};

// Whether the broker notices a death at once or late is drawn from the seed; try both.
constexpr std::uint64_t some_seeds = 30;

} // namespace

TEST_CASE("what is published while cut off waits and arrives when the cut heals") {
    Pair pair;
    REQUIRE(pair.listen("listener", "q"));
    pair.world.cut("talker", 10s);
    CHECK(pair.host("talker").connection().link() == bus::Link::away);
    REQUIRE(pair.say("talker", "k", "1"));
    CHECK(pair.control("talker").flush(1s).error().code == Errc::timeout);
    CHECK(pair.topology("talker").inspect("q").error().code == Errc::unavailable);
    pair.pass(9s);
    CHECK(pair.heard["listener"].empty());
    pair.pass(2s);
    CHECK(pair.heard["listener"] == Words{"1"});
    CHECK(pair.host("talker").connection().link() == bus::Link::up);
}

TEST_CASE("the outbox of a component that is cut off is bounded") {
    Pair pair;
    pair.world.cut("talker", 10s);
    for (std::size_t i = 0; i < Connection::outbox_max; ++i) REQUIRE(pair.say("talker", "k", "1"));
    CHECK(pair.say("talker", "k", "1").error().code == Errc::limit);
}

TEST_CASE("the outbox of a component that is cut off dies with it") {
    Pair pair;
    REQUIRE(pair.listen("listener", "q"));
    pair.world.cut("talker", 1s);
    REQUIRE(pair.say("talker", "k", "1"));
    pair.world.kill("talker");
    pair.world.restart("talker");
    pair.pass(10s);
    CHECK(pair.heard["listener"].empty());
    CHECK(pair.host("talker").connection().link() == bus::Link::up);
}

TEST_CASE("a component that is cut off gets nothing, and later all of it, by the same consumer") {
    for (std::uint64_t seed = 1; seed <= some_seeds; ++seed) {
        Pair pair{seed};
        REQUIRE(pair.listen("listener", "q"));
        pair.world.cut("listener", 5s);
        REQUIRE(pair.say("talker", "k", "1"));
        pair.pass(4s);
        CHECK(pair.heard["listener"].empty());
        pair.pass(6s);
        REQUIRE(pair.heard["listener"].size() == 1);
        CHECK(pair.heard["listener"].front().starts_with("1"));
    }
}

TEST_CASE("what a component held when it was cut off comes back to it as redelivered") {
    for (std::uint64_t seed = 1; seed <= some_seeds; ++seed) {
        Pair pair{seed};
        REQUIRE(pair.listen("listener", "q", Manner::keep));
        REQUIRE(pair.say("talker", "k", "1"));
        pair.pass(1s);
        pair.world.cut("listener", 5s);
        pair.kept("listener").front().ack(); // of a session that is lost: it counts for nothing
        pair.pass(10s);
        CHECK(pair.heard["listener"] == Words{"1", "1 again"});
    }
}

TEST_CASE("an exclusive queue goes with its session and is declared anew with its bindings") {
    for (std::uint64_t seed = 1; seed <= some_seeds; ++seed) {
        Pair pair{seed};
        REQUIRE(pair.declare("listener", {.name = "own", .exclusive = true}, "own.#"));
        REQUIRE(pair.listen("listener", "own"));
        pair.world.cut("listener", 10s);
        pair.pass(4s); // longer than a heartbeat
        CHECK_FALSE(pair.world.broker().has_queue("own"));
        REQUIRE(pair.say("talker", "own.news", "nobody hears"));
        pair.pass(10s);
        REQUIRE(pair.say("talker", "own.news", "1"));
        pair.pass(1s);
        CHECK(pair.heard["listener"] == Words{"1"});
    }
}

TEST_CASE("a killed component returns what it held, and its exclusive queues vanish") {
    for (std::uint64_t seed = 1; seed <= some_seeds; ++seed) {
        Pair pair{seed};
        REQUIRE(pair.declare("listener", {.name = "own", .exclusive = true}, "own.#"));
        REQUIRE(pair.listen("listener", "q", Manner::keep));
        for (const char* body : {"1", "2"}) REQUIRE(pair.say("talker", "k", body));
        pair.pass(1s);
        pair.world.kill("listener");
        pair.pass(4s);
        CHECK_FALSE(pair.world.broker().has_queue("own"));
        CHECK(pair.topology("talker").inspect("q")->depth == 2);
        pair.world.restart("listener");
        REQUIRE(pair.listen("listener", "q"));
        pair.pass(1s);
        CHECK(pair.heard["listener"] == Words{"1", "2", "1 again", "2 again"});
    }
}

TEST_CASE("what a broker hands to a consumer it does not know to be dead is not lost") {
    for (std::uint64_t seed = 1; seed <= some_seeds; ++seed) {
        Pair pair{seed};
        REQUIRE(pair.listen("listener", "q", Manner::ack, 1));
        pair.world.kill("listener");
        pair.world.restart("listener");
        REQUIRE(pair.say("talker", "k", "1"));
        REQUIRE(pair.listen("listener", "q", Manner::ack, 1));
        REQUIRE(pair.say("talker", "k", "2"));
        pair.pass(10s);
        CHECK(pair.heard["listener"].size() == 2);
    }
}

TEST_CASE("a broker restart keeps durable queues with their persistent messages and no more") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "brief", .durable = false}, "k"));
    REQUIRE(pair.say("talker", "k", "kept"));
    REQUIRE(pair.say("talker", "k", "lost", bus::Persistence::transient));
    REQUIRE(pair.control("talker").flush(1s));
    pair.world.kill("listener"); // so that nobody declares the brief queue anew
    pair.world.restart_broker(2s);
    CHECK(pair.topology("talker").inspect("q").error().code == Errc::unavailable);
    pair.pass(5s);
    CHECK_FALSE(pair.world.broker().has_queue("brief"));
    CHECK(pair.topology("talker").inspect("q")->depth == 1);
    REQUIRE(pair.listen("talker", "q"));
    pair.pass(1s);
    CHECK(pair.heard["talker"] == Words{"kept"});
}

TEST_CASE("consumers resume after a broker restart, and what they held comes back") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "brief", .durable = false}, "brief"));
    REQUIRE(pair.listen("listener", "q", Manner::keep));
    REQUIRE(pair.listen("listener", "brief"));
    REQUIRE(pair.say("talker", "k", "1"));
    pair.pass(1s);
    pair.world.restart_broker(2s);
    REQUIRE(pair.say("talker", "brief", "sent while it was away"));
    pair.pass(5s);
    REQUIRE(pair.say("talker", "brief", "2"));
    pair.pass(1s);
    REQUIRE(pair.heard["listener"].size() >= 3);
    CHECK(pair.heard["listener"][1] == "1 again");
    CHECK(pair.heard["listener"].back() == "2");
}

TEST_CASE("a connection declares again what it declared, even what another removed meanwhile") {
    Pair pair;
    REQUIRE(pair.declare("talker", {.name = "others"}, "k"));
    pair.world.cut("listener", 5s);
    REQUIRE(pair.topology("talker").remove_queue("q"));
    pair.pass(10s);
    CHECK(pair.world.broker().has_queue("q"));
    REQUIRE(pair.topology("listener").remove_queue("q"));
    pair.world.cut("listener", 5s);
    pair.pass(10s);
    CHECK_FALSE(pair.world.broker().has_queue("q"));
}

TEST_CASE("a consumer waits a while for a queue that another has yet to declare again") {
    for (const bool in_time : {true, false}) {
        Pair pair;
        REQUIRE(pair.declare("talker", {.name = "brief", .durable = false}, "b"));
        REQUIRE(pair.listen("listener", "brief"));
        pair.world.cut("talker", in_time ? 4s : 20s);
        pair.world.restart_broker(1s);
        pair.pass(30s);
        REQUIRE(pair.say("talker", "b", "1"));
        pair.pass(1s);
        CHECK(pair.heard["listener"].size() == (in_time ? 1 : 0));
    }
}

TEST_CASE("an auto-delete queue that lost its last consumer is not declared again") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "tap", .auto_delete = true}, "k"));
    REQUIRE(pair.listen("listener", "tap"));
    pair.stop_listening("listener");
    pair.world.cut("listener", 1s);
    pair.pass(5s);
    CHECK_FALSE(pair.world.broker().has_queue("tap"));
}

TEST_CASE("a component is told when its link goes and comes") {
    Pair pair;
    Words told;
    pair.host("talker").on_link(
        [&](bus::Link link, std::string_view) { told.emplace_back(bus::name_of(link)); });
    pair.world.cut("talker", 1s);
    pair.pass(2s);
    CHECK(told == Words{"away", "up"});
}

TEST_CASE("a slow consumer gets its messages one pause after the other") {
    Pair pair;
    REQUIRE(pair.listen("listener", "q"));
    pair.world.slow_down("listener", 1s, 10s);
    for (const char* body : {"1", "2", "3"}) REQUIRE(pair.say("talker", "k", body));
    pair.pass(1500ms);
    CHECK(pair.heard["listener"].size() < 3);
    pair.pass(3s);
    CHECK(pair.heard["listener"] == Words{"1", "2", "3"});
}
