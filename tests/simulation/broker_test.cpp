#include "tests/simulation/puppets.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::simulation;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;
using Manner = Puppets::Manner;

namespace {

// One who talks and one who listens, over a broker without faults.
struct Pair : Puppets {
    Pair() {
        enter("talker");
        enter("listener");
    }
    std::size_t depth(const std::string& queue) {
        return topology("talker").inspect(queue).value().depth;
    }
    Errc error_of(const auto& result) {
        REQUIRE_FALSE(result.has_value());
        return result.error().code;
    }
};

} // namespace

TEST_CASE("a message reaches every queue bound to its key once, in the order it was sent") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "one"}, "signal.*.a"));
    REQUIRE(pair.topology("listener").bind({"ph.control", "signal.#", "one"}));
    REQUIRE(pair.declare("talker", {.name = "other"}, "signal.start.b"));
    REQUIRE(pair.listen("listener", "one"));
    for (const char* body : {"1", "2", "3"}) REQUIRE(pair.say("talker", "signal.start.a", body));
    REQUIRE(pair.say("talker", "event.start.a", "unheard"));
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "2", "3"});
    CHECK(pair.depth("other") == 0);
    REQUIRE(pair.topology("listener").unbind({"ph.control", "signal.*.a", "one"}));
    REQUIRE(pair.topology("listener").unbind({"ph.control", "signal.#", "one"}));
    REQUIRE(pair.say("talker", "signal.start.a", "4"));
    pair.pass(1s);
    CHECK(pair.heard["listener"].size() == 3);
}

TEST_CASE("prefetch bounds what a consumer holds, and an ack makes room for the next") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    REQUIRE(pair.listen("listener", "q", Manner::keep, 2));
    for (const char* body : {"1", "2", "3", "4"}) REQUIRE(pair.say("talker", "k", body));
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "2"});
    CHECK(pair.depth("q") == 2);
    pair.kept("listener").front().ack();
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "2", "3"});
}

TEST_CASE("a requeued message comes back marked, before those that were behind it") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    REQUIRE(pair.listen("listener", "q", Manner::keep, 1));
    for (const char* body : {"1", "2"}) REQUIRE(pair.say("talker", "k", body));
    pair.pass(1s);
    pair.kept("listener").front().requeue();
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "1 again"});
}

TEST_CASE("consumers of one queue share its messages") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    REQUIRE(pair.listen("listener", "q"));
    REQUIRE(pair.listen("talker", "q"));
    for (const char* body : {"1", "2", "3", "4"}) REQUIRE(pair.say("talker", "k", body));
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "3"});
    CHECK(pair.heard["talker"] == Words{"2", "4"});
}

TEST_CASE("who stops listening returns what was on its way, and its auto-delete queue goes") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    REQUIRE(pair.declare("listener", {.name = "short-lived", .auto_delete = true}, "other"));
    REQUIRE(pair.listen("listener", "q"));
    REQUIRE(pair.listen("listener", "short-lived"));
    REQUIRE(pair.say("talker", "k", "1"));
    REQUIRE(pair.control("talker").flush(1s));
    pair.stop_listening("listener");
    CHECK(pair.depth("q") == 1);
    CHECK_FALSE(pair.world.broker().has_queue("short-lived"));
    pair.pass(1s);
    CHECK(pair.heard["listener"].empty());
}

TEST_CASE("a message that outlives its time to live goes to the dead-letter queue") {
    Pair pair;
    REQUIRE(pair.declare("talker", {.name = "dead"}, "nothing"));
    REQUIRE(pair.declare("talker", {.name = "q", .message_ttl = 5s, .dead_letter = "dead"}, "k"));
    REQUIRE(pair.say("talker", "k", "1"));
    pair.pass(4s);
    CHECK(pair.depth("q") == 1);
    CHECK(pair.topology("talker").inspect("q")->oldest_age == 4s - 1ms);
    pair.pass(2s);
    CHECK(pair.depth("q") == 0);
    CHECK(pair.depth("dead") == 1);
}

TEST_CASE("a full queue drops its oldest message or makes the publisher wait, as declared") {
    Pair pair;
    REQUIRE(pair.declare("talker", {.name = "dead"}, "nothing"));
    REQUIRE(pair.declare(
        "talker",
        {.name = "tap",
         .max_length = 2,
         .overflow = bus::Overflow::drop_oldest,
         .dead_letter = "dead"},
        "k"));
    for (const char* body : {"1", "2", "3"}) REQUIRE(pair.say("talker", "k", body));
    pair.pass(1s);
    CHECK(pair.depth("tap") == 2);
    CHECK(pair.depth("dead") == 1);

    REQUIRE(pair.declare("talker", {.name = "narrow", .max_length = 1}, "n"));
    for (const char* body : {"1", "2", "3"}) REQUIRE(pair.say("talker", "n", body));
    pair.pass(1s);
    CHECK(pair.depth("narrow") == 1);
    CHECK(pair.error_of(pair.control("talker").flush(1s)) == Errc::timeout);
    REQUIRE(pair.listen("listener", "narrow"));
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1", "2", "3"});
}

TEST_CASE("missing, foreign and contradictory objects are told apart") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "mine", .exclusive = true}, "k"));
    CHECK(pair.error_of(pair.topology("talker").inspect("none")) == Errc::not_found);
    CHECK(pair.error_of(pair.listen("talker", "none")) == Errc::not_found);
    CHECK(pair.error_of(pair.topology("talker").purge("none")) == Errc::not_found);
    CHECK(pair.error_of(pair.topology("talker").inspect("mine")) == Errc::denied);
    CHECK(pair.error_of(pair.listen("talker", "mine")) == Errc::denied);
    CHECK(pair.error_of(pair.topology("talker").remove_queue("mine")) == Errc::denied);
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    CHECK(pair.declare("talker", {.name = "q"}, "k").has_value());
    CHECK(
        pair.error_of(pair.declare("talker", {.name = "q", .durable = false}, "k")) ==
        Errc::conflict);
    CHECK(pair.error_of(pair.topology("talker").bind({"none", "k", "q"})) == Errc::not_found);
    CHECK(pair.error_of(pair.listen("listener", "q", Manner::ack, 0)) == Errc::invalid);
}

TEST_CASE("purging empties a queue, removing it ends its consumers and may be repeated") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    for (const char* body : {"1", "2"}) REQUIRE(pair.say("talker", "k", body));
    REQUIRE(pair.control("talker").flush(1s));
    CHECK(pair.topology("talker").purge("q").value() == 2);
    REQUIRE(pair.listen("listener", "q"));
    CHECK(pair.topology("talker").inspect("q")->consumers == 1);
    CHECK(pair.topology("talker").remove_queue("q").has_value());
    CHECK(pair.topology("talker").remove_queue("q").has_value());
    REQUIRE(pair.say("talker", "k", "3"));
    pair.pass(1s);
    CHECK(pair.heard["listener"].empty());
}

TEST_CASE("a closed connection has sent what it accepted and returned what it held") {
    Pair pair;
    REQUIRE(pair.declare("listener", {.name = "q"}, "k"));
    REQUIRE(pair.listen("listener", "q", Manner::keep));
    REQUIRE(pair.say("talker", "k", "1"));
    REQUIRE(pair.host("talker").connection().close(1s));
    CHECK(pair.error_of(pair.say("talker", "k", "2")) == Errc::closed);
    CHECK(pair.error_of(pair.topology("talker").inspect("q")) == Errc::closed);
    pair.pass(1s);
    CHECK(pair.heard["listener"] == Words{"1"});
    REQUIRE(pair.host("listener").connection().close(1s));
    pair.enter("late");
    CHECK(pair.topology("late").inspect("q")->depth == 1);
}

TEST_CASE("the simulated connection refuses work traffic with a reason") {
    Pair pair;
    CHECK(
        pair.error_of(pair.host("talker").connection().work().open_sender({})) ==
        Errc::unavailable);
    CHECK(
        pair.error_of(pair.host("talker").connection().work().open_receiver({})) ==
        Errc::unavailable);
}
