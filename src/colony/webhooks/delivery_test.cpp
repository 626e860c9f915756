#include "colony/webhooks/delivery.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::webhooks;
using namespace std::chrono_literals;

namespace {

const Timestamp noon = Timestamp{1'700'000'000s};

Reply answered(unsigned status, Timestamp at = noon) {
    return {.attempt = {.at = at, .took = 20ms, .status = status, .answer = "x"}};
}

struct Course {
    Policy policy{};
    Random random{1};
    Settled now{
        .delivery =
            {.id = "d", .endpoint = "e", .event = "task.created", .payload = "{}", .due = noon},
        .endpoint = {.id = "e", .url = "https://a.example/", .events = {"*"}}};

    const Settled& after(const Reply& reply) { return now = settle(now, policy, reply, random); }
};

} // namespace

TEST_CASE("each failure waits longer, within the jitter, until there are no more tries") {
    Course course;
    Timestamp at = noon;
    for (const Duration wait : course.policy.retries) {
        const Settled& now = course.after(answered(500, at));
        REQUIRE(now.delivery.due);
        const Duration waited = *now.delivery.due - at - 20ms;
        CHECK(waited >= std::chrono::duration_cast<Duration>(wait * 0.8));
        CHECK(waited <= std::chrono::duration_cast<Duration>(wait * 1.2));
        at += 1s; // only the waits count here, not the days
    }
    const Settled& last = course.after(answered(500, at));
    CHECK_FALSE(last.delivery.due);
    CHECK(last.delivery.state == State::failed);
    CHECK(last.delivery.attempts == course.policy.retries.size() + 1);
    CHECK(last.endpoint.enabled);
}

TEST_CASE("only 2xx is success: not a redirect, not garbage, not silence") {
    for (const unsigned status : {0U, 100U, 301U, 302U, 400U, 404U, 429U, 500U, 999U}) {
        Course course;
        CHECK(course.after(answered(status)).delivery.state == State::pending);
    }
    for (const unsigned status : {200U, 201U, 202U, 204U}) {
        Course course;
        course.after(answered(503));
        const Settled& now = course.after(answered(status, noon + 5s));
        CHECK(now.delivery.state == State::delivered);
        CHECK_FALSE(now.delivery.due);
        CHECK_FALSE(now.endpoint.failing_since);
        CHECK(now.delivery.log.size() == 2);
    }
}

TEST_CASE("a receiver may ask for more time, but not for ever, and not for less") {
    Course course;
    Reply reply = answered(503);
    reply.retry_after = 10min;
    CHECK(*course.after(reply).delivery.due == noon + 20ms + 10min);
    reply.retry_after = 24h * 365;
    CHECK(*course.after(reply).delivery.due == noon + 20ms + course.policy.retry_after_max);
    reply.retry_after = 1s;
    CHECK(*course.after(reply).delivery.due > noon + 20min);
}

TEST_CASE("Retry-After is seconds or a date; anything else is nothing") {
    const Timestamp now = Timestamp{784'111'777s}; // Sun, 06 Nov 1994 08:49:37 GMT
    CHECK(parse_retry_after("120", now) == 120s);
    CHECK(parse_retry_after("0", now) == 0s);
    CHECK(parse_retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now) == 60s);
    CHECK(parse_retry_after("99999999999", now) == 24h * 365);
    for (const auto* bad :
         {"", "-1", "soon", "1.5", "Sun, 06 Nov 1994 08:49:37 GMT", "12s",
          "Sun, 06 Foo 1994 08:50:37 GMT", "Sun, 99 Nov 1994 08:50:37 GMT"}) {
        CHECK_MESSAGE(!parse_retry_after(bad, now), bad);
    }
}

TEST_CASE("410 disables the endpoint and ends the delivery") {
    Course course;
    const Settled& now = course.after(answered(410));
    CHECK(now.consequence == Consequence::gone);
    CHECK_FALSE(now.endpoint.enabled);
    CHECK(now.endpoint.disabled_because == "gone");
    CHECK(now.delivery.state == State::failed);
    CHECK(course.after(answered(410)).consequence == Consequence::none); // said once
}

TEST_CASE("days of nothing but failures disable the endpoint; one success begins anew") {
    Course course;
    course.after(answered(500, noon));
    CHECK(course.after(answered(500, noon + 24h * 4)).endpoint.enabled);
    course.after(answered(200, noon + 24h * 4 + 1h));
    CHECK(course.after(answered(0, noon + 24h * 6)).endpoint.enabled);
    CHECK(course.after(answered(0, noon + 24h * 10)).endpoint.enabled);
    const Settled& now = course.after(answered(0, noon + 24h * 11));
    CHECK(now.consequence == Consequence::failing);
    CHECK_FALSE(now.endpoint.enabled);
    CHECK(now.endpoint.disabled_because == "failing");
}

TEST_CASE("the log of a delivery is short, and comes back from the store as it was") {
    Course course;
    course.policy.retries.assign(100, 1s);
    for (int i = 0; i < 50; ++i) course.after(answered(500, noon + std::chrono::seconds{i}));
    CHECK(course.now.delivery.log.size() == attempts_kept);
    CHECK(course.now.delivery.attempts == 50);
    Delivery back = delivery_from_stored(to_text(to_json(course.now.delivery))).value();
    back.payload = course.now.delivery.payload;
    CHECK(back == course.now.delivery);
    CHECK_FALSE(delivery_from_stored(R"({"id":"x","state":"lost"})"));
}
