#include "pace/limiter.hpp"
#include "pace/shapes.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

const TimePoint start{5h};

// Takes all that is allowed, looking every `look`.
double passed(Limiter& limiter, TimePoint from, TimePoint to, Duration look) {
    double total = 0;
    for (TimePoint now = from; now <= to; now += look) {
        const std::size_t allowed = limiter.allowed(now);
        limiter.take(allowed);
        total += static_cast<double>(allowed);
    }
    return total;
}

} // namespace

TEST_CASE("a limiter lets through what the shape says, looked at often or now and then") {
    for (const Duration look : {100us, 1000us, 9000us}) {
        CAPTURE(look.count());
        for (const Shape& shape :
             {*constant(0.5), *constant(70), *constant(5'000), *sine({0, 900, 4s}),
              *ramp({0, 1'000, 10s})}) {
            Limiter limiter{shape, {}, start};
            const double known = shape.integral(20s);
            CHECK(std::abs(passed(limiter, start, start + 20s, look) - known) < 2 + known * 0.001);
        }
    }
}

TEST_CASE("nothing is saved up beyond the burst") {
    Limiter strict{*constant(100), {.burst = 1, .slack = 0s}, start};
    CHECK(strict.allowed(start + 1h) == 1);
    Limiter generous{*constant(100), {.burst = 25, .slack = 0s}, start};
    CHECK(generous.allowed(start + 1h) == 25);
    Limiter slack{*constant(100), {.burst = 1, .slack = 100ms}, start};
    CHECK(slack.allowed(start + 1h) == 11);
}

TEST_CASE("whoever waits until the next moment may pass then, and not before") {
    for (const double rate : {0.3, 7.0, 333.0, 99'999.0}) {
        CAPTURE(rate);
        Limiter limiter{*constant(rate), {.burst = 1, .slack = 0s}, start};
        TimePoint now = start;
        for (int i = 0; i < 1'000; ++i) {
            const auto next = limiter.next(now);
            REQUIRE(next.has_value());
            REQUIRE(*next >= now);
            now = *next;
            REQUIRE(limiter.allowed(now) == 1);
            limiter.take(1);
        }
        CHECK(seconds(now - start) == doctest::Approx(1'000 / rate).epsilon(0.001));
    }
}

TEST_CASE("rate 0 lets nothing pass and has no next moment") {
    Limiter limiter{*constant(0), {}, start};
    CHECK(limiter.allowed(start + 1h) == 0);
    CHECK_FALSE(limiter.next(start + 1h).has_value());
    limiter.change(*constant(10), start + 1h);
    CHECK(limiter.allowed(start + 1h) == 0);
    CHECK(limiter.next(start + 1h).value() - (start + 1h) <= 100ms + 2ns);
}

TEST_CASE("a rate that is set to 0 stops at once, whatever was saved up, and starts from nothing") {
    Limiter limiter{*constant(100), {}, start};
    REQUIRE(limiter.allowed(start + 1s) > 0);
    limiter.change(*constant(0), start + 1s);
    CHECK(limiter.allowed(start + 1s) == 0);
    CHECK(limiter.allowed(start + 1h) == 0);
    limiter.change(*constant(100), start + 1h);
    CHECK(limiter.allowed(start + 1h) == 0);
    CHECK(limiter.allowed(start + 1h + 10ms) == 1);
    // A shape that rests for a while is not over: what was earned stays.
    REQUIRE(limiter.allowed(start + 2h) > 0);
    limiter.change(*ramp({0, 100, 10s}), start + 2h);
    CHECK(limiter.allowed(start + 2h) > 0);
}

TEST_CASE("a changed shape keeps the place in its cycle and what was earned") {
    Limiter limiter{*sine({0, 100, 60s}), {}, start};
    CHECK(limiter.allowed(start + 40s) == 1);
    limiter.change(*sine({0, 200, 60s}), start + 40s);
    CHECK(limiter.allowed(start + 40s) == 1);
    CHECK(limiter.rate(start + 75s) == doctest::Approx(200));
}

TEST_CASE("a clock that steps back earns nothing") {
    Limiter limiter{*constant(10), {}, start};
    CHECK(limiter.allowed(start + 1s) == 1);
    limiter.take(1);
    CHECK(limiter.allowed(start) == 0);
    CHECK(limiter.allowed(start + 1s) == 0);
}
