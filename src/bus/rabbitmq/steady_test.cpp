#include "bus/rabbitmq/backoff.hpp"
#include "bus/rabbitmq/outbox.hpp"
#include "bus/rabbitmq/steady.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace hive;
using namespace hive::bus::rabbitmq;
using namespace std::chrono_literals;

TEST_CASE("a deadline is never before its start, however long the wait") {
    constexpr TimePoint now{1h};
    CHECK(add(now, 5s) == TimePoint{1h + 5s});
    CHECK(add(now, Duration::max()) == TimePoint::max());
    CHECK(add(now, Duration::max() - 30min) == TimePoint::max());
    CHECK(add(TimePoint::max(), 1ns) == TimePoint::max());
    CHECK(add(now, -2h) == TimePoint{-1h});
    CHECK(add(now, Duration::min()) < now);
    CHECK(add(TimePoint{-1h}, Duration::min()) == TimePoint::min());
    CHECK(deadline_after(Duration::max()) == TimePoint::max());
    CHECK(left_until(TimePoint::max()) > 24h * 365);
    CHECK(left_until(TimePoint::min()) == 0ns);
}

TEST_CASE("a wait of a coarser unit is cut to what ours can hold") {
    CHECK(bounded(std::chrono::milliseconds::max()) == Duration::max());
    CHECK(bounded(std::chrono::milliseconds::min()) == Duration::min());
    CHECK(bounded(std::chrono::hours::max()) == Duration::max());
    CHECK(bounded(5000ms) == 5s);
}

TEST_CASE("what the system is asked to wait is neither negative nor more than it can count") {
    CHECK(poll_timeout(Duration::max()) == 24 * 60 * 60 * 1000);
    CHECK(poll_timeout(Duration::min()) == 0);
    CHECK(poll_timeout(1ns) == 1);
    CHECK(library_timeout(Duration::max()).tv_sec == 24 * 60 * 60);
    CHECK(library_timeout(Duration::min()).tv_sec == 0);
    CHECK(library_timeout(1500ms).tv_sec == 1);
    CHECK(library_timeout(1500ms).tv_usec == 500'000);
}

TEST_CASE("a backoff without a bound grows and never turns negative") {
    auto random = Random{1};
    Backoff backoff{1s, Duration::max()};
    Duration last{0};
    for (int i = 0; i < 100; ++i) {
        const auto wait = backoff.next(random);
        REQUIRE(wait > 0ns);
        last = wait;
    }
    CHECK(last > Duration::max() / 4);
}

TEST_CASE("a producer that waits for ever gets the room that comes") {
    Outbox outbox{{.capacity = 1}};
    REQUIRE(outbox.put({}).has_value());
    std::vector<const Outgoing*> batch;
    outbox.take(batch, 1, steady_now());
    std::jthread broker{[&] {
        outbox.confirm(1, false, steady_now());
        outbox.announce();
    }};
    CHECK(outbox.await_room(deadline_after(Duration::max())).value_or(0) == 1);
}
