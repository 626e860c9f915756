#include "bus/rabbitmq/outbox.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive;
using namespace hive::bus::rabbitmq;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint start{1h};
constexpr TimePoint past{}; // a deadline that does not wait

Outgoing message(std::string body) {
    Outgoing made;
    made.key = "queue";
    made.body = std::move(body);
    return made;
}

void put(Outbox& outbox, std::initializer_list<const char*> bodies) {
    for (const auto* body : bodies) REQUIRE(outbox.put(message(body)).has_value());
}

// The bodies it would publish now.
std::vector<std::string> taken(Outbox& outbox, TimePoint now = start, std::size_t max = 100) {
    std::vector<const Outgoing*> batch;
    outbox.take(batch, max, now);
    std::vector<std::string> bodies;
    for (const auto* each : batch) bodies.push_back(each->body);
    return bodies;
}

using Bodies = std::vector<std::string>;

} // namespace

TEST_CASE("messages are published once, in order, and confirmed one by one or together") {
    Outbox outbox{{}};
    put(outbox, {"a", "b", "c", "d"});
    CHECK(taken(outbox, start, 3) == Bodies{"a", "b", "c"});
    CHECK(taken(outbox) == Bodies{"d"});
    CHECK(taken(outbox).empty());
    outbox.confirm(2, true, start);
    CHECK(outbox.confirmed() == 2);
    outbox.confirm(4, false, start);
    CHECK(outbox.confirmed() == 2); // c is a gap
    CHECK(!outbox.idle());
    outbox.confirm(3, false, start);
    CHECK(outbox.confirmed() == 4);
    CHECK(outbox.idle());
}

TEST_CASE("tags that mean nothing are ignored and tag 0 with multiple means all") {
    Outbox outbox{{}};
    outbox.confirm(0, true, start);
    outbox.confirm(7, true, start);
    put(outbox, {"a", "b"});
    CHECK(taken(outbox).size() == 2);
    outbox.confirm(3, true, start);
    CHECK(outbox.confirmed() == 0);
    outbox.confirm(0, true, start);
    CHECK(outbox.confirmed() == 2);
    outbox.confirm(2, false, start);
    CHECK(outbox.confirmed() == 2);
}

TEST_CASE("a full outbox takes nothing until the oldest is confirmed") {
    Outbox outbox{{.capacity = 2, .in_flight = 2}};
    put(outbox, {"a", "b"});
    CHECK(outbox.put(message("c")).error().code == Errc::limit);
    CHECK(outbox.await_room(past).value_or(9) == 0);
    CHECK(taken(outbox).size() == 2);
    outbox.confirm(2, false, start);
    CHECK(outbox.await_room(past).value_or(9) == 0);
    outbox.confirm(1, false, start);
    CHECK(outbox.await_room(past).value_or(9) == 2);
}

TEST_CASE("after a lost session the unconfirmed are published again in order, the confirmed not") {
    Outbox outbox{{}};
    put(outbox, {"a", "b", "c", "d"});
    CHECK(taken(outbox).size() == 4);
    outbox.confirm(1, false, start);
    outbox.confirm(3, false, start);
    CHECK(outbox.session_lost() == 2);
    put(outbox, {"e"});
    CHECK(taken(outbox) == Bodies{"b", "d", "e"});
    outbox.confirm(3, true, start);
    CHECK(outbox.confirmed() == 5);
}

TEST_CASE("a refused message is offered again alone after a pause and holds up what follows") {
    Outbox outbox{{}};
    put(outbox, {"a", "b", "c", "d"});
    CHECK(taken(outbox, start, 3) == Bodies{"a", "b", "c"});
    outbox.confirm(1, false, start);
    CHECK(outbox.refuse(3, true, start) == 2);
    CHECK(taken(outbox, start).empty());
    REQUIRE(outbox.retry_at().has_value());
    const auto later = *outbox.retry_at();
    CHECK(later > start);
    CHECK(taken(outbox, later) == Bodies{"b"});
    CHECK(!outbox.retry_at().has_value()); // waits for the answer
    CHECK(taken(outbox, later).empty());
    outbox.confirm(4, false, later);
    CHECK(taken(outbox, later) == Bodies{"c", "d"});
    outbox.confirm(6, true, later);
    CHECK(outbox.confirmed() == 4);
}

TEST_CASE("a returned message fails a sender for good and nothing after it counts as confirmed") {
    Outbox outbox{{.fails_for_good = true}};
    put(outbox, {"a", "b", "c"});
    CHECK(taken(outbox).size() == 3);
    outbox.confirm(1, false, start);
    outbox.returned(0, {Errc::not_found, "no queue"});
    outbox.confirm(3, true, start);
    CHECK(outbox.confirmed() == 1);
    CHECK(outbox.put(message("d")).error().code == Errc::not_found);
    CHECK(outbox.flush(past).error().code == Errc::not_found);
    CHECK(outbox.idle()); // there is nothing left to wait for
}

TEST_CASE("with several in flight a closed channel finds its culprit by offering one at a time") {
    Outbox outbox{{.mandatory = false}};
    put(outbox, {"good", "bad", "fine"});
    CHECK(taken(outbox).size() == 3);
    const Error denied{Errc::denied, "may not"};
    outbox.channel_closed(denied);
    CHECK(taken(outbox) == Bodies{"good"});
    outbox.confirm(1, false, start);
    CHECK(taken(outbox) == Bodies{"bad", "fine"});
    outbox.channel_closed(denied);
    CHECK(taken(outbox) == Bodies{"bad"});
    outbox.channel_closed(denied);
    CHECK(taken(outbox) == Bodies{"fine"});
    outbox.confirm(1, false, start);
    CHECK(outbox.idle());
    CHECK(outbox.flush(past).error().code == Errc::denied); // told once
    CHECK(outbox.flush(past).has_value());
}

TEST_CASE("who asked is told the end of each message: delivered, refused or returned") {
    std::vector<std::pair<std::uint64_t, bool>> told;
    Outbox outbox{{.on_resolved = [&](std::uint64_t origin, const Status& status) {
        told.emplace_back(origin, status.has_value());
    }}};
    for (const std::uint64_t origin : {7U, 8U, 9U}) {
        auto made = message("x");
        made.origin = origin;
        REQUIRE(outbox.put(std::move(made)).has_value());
    }
    CHECK(taken(outbox).size() == 3);
    outbox.returned(1, {Errc::not_found, "no queue"});
    outbox.confirm(2, true, start);
    outbox.refuse(3, false, start);
    CHECK(told.empty()); // not from inside the frame handling
    outbox.announce();
    CHECK(told == std::vector<std::pair<std::uint64_t, bool>>{{7, true}, {8, false}, {9, false}});
    CHECK(outbox.idle());
}

TEST_CASE("a closed outbox takes no more but still sends what it accepted") {
    Outbox outbox{{.fails_for_good = true}};
    put(outbox, {"a"});
    outbox.close({Errc::closed, "closed"});
    CHECK(outbox.put(message("b")).error().code == Errc::closed);
    CHECK(outbox.await_room(past).error().code == Errc::closed);
    CHECK(!outbox.idle());
    CHECK(taken(outbox) == Bodies{"a"});
    outbox.confirm(1, false, start);
    CHECK(outbox.idle());
    CHECK(!outbox.finished());
    outbox.abandon();
    CHECK(outbox.finished());
}
