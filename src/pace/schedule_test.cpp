#include "pace/pattern.hpp"
#include "pace/schedule.hpp"
#include "pace/shapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

const TimePoint start{1000h};

std::vector<TimePoint> take(Schedule& schedule, TimePoint now, std::size_t max = 10'000'000) {
    std::vector<TimePoint> out;
    schedule.due(now, max, out);
    return out;
}

double level(Random& random) {
    return random.chance(0.1) ? 0 : 2 * random.unit();
}

Duration lasting(Random& random) {
    return from_seconds(0.1 + 20 * random.unit());
}

Segment random_segment(Random& random) {
    Segment segment{.lasts = lasting(random)};
    switch (random.below(4)) {
    case 0: segment.mode = FlatMode{level(random)}; break;
    case 1: segment.mode = RampMode{level(random), level(random)}; break;
    case 2: segment.mode = SinusMode{0, 2 * random.unit(), lasting(random), lasting(random)}; break;
    default: segment.mode = DutyMode{1, level(random), lasting(random), lasting(random)}; break;
    }
    if (random.chance(0.3)) segment.mutators.emplace_back(Cap{0.2 + random.unit()});
    if (random.chance(0.3)) segment.mutators.emplace_back(Burst{3s, 200ms, 80});
    if (random.chance(0.3)) segment.mutators.emplace_back(Noise{30, 500ms, random()});
    segment.transition = static_cast<Transition>(random.below(3));
    segment.transition_over = lasting(random);
    return segment;
}

// Any kind of shape at any rate from 0.01/s to some 10,000/s.
Shape random_shape(Random& random) {
    const double top = std::pow(10.0, -2 + 6 * random.unit());
    switch (random.below(5)) {
    case 0: return *constant(top);
    case 1: return *ramp({top * random.unit(), top * level(random), lasting(random)});
    case 2: return *sine({0, top, lasting(random), lasting(random)});
    case 3:
        return *steps(
            {{top, lasting(random)}, {0, lasting(random)}, {top / 3, lasting(random)}},
            After::repeat);
    default: break;
    }
    Pattern pattern{.base_rate = top};
    for (std::uint64_t i = random.below(5) + 1; i > 0; --i)
        pattern.segments.push_back(random_segment(random));
    return *shape_of(pattern);
}

std::size_t up_to(const std::vector<TimePoint>& times, TimePoint at) {
    return static_cast<std::size_t>(std::ranges::upper_bound(times, at) - times.begin());
}

} // namespace

TEST_CASE("over any window of any shape as many are due as the integral says, within one") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const Shape shape = random_shape(random);
        ScheduleOptions options{.max_lag = 24h, .seed = seed};
        if (random.chance(0.3)) options.jitter = {Jitter::Kind::sequence, 20ms};
        Schedule schedule{shape, options, start};
        const auto times = take(schedule, start + 60s);
        CHECK(std::ranges::is_sorted(times));
        for (int i = 0; i < 50; ++i) {
            const Duration a = from_seconds(60 * random.unit());
            const Duration b = from_seconds(60 * random.unit());
            const auto [from, to] = std::minmax(a, b);
            const double known = shape.integral(to) - shape.integral(from);
            const auto counted =
                static_cast<double>(up_to(times, start + to) - up_to(times, start + from));
            // One for the window's ends, and with jitter one more of them may be on its way.
            const double slack = options.jitter.kind == Jitter::Kind::none ? 1.001 : 2.001;
            CHECK(std::abs(counted - known) <= slack);
        }
    }
}

TEST_CASE("the same seed gives the same times, however they are asked for") {
    for (std::uint64_t seed = 200; seed < 240; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const Shape shape = random_shape(random);
        const auto arrivals = random.chance(0.5) ? Arrivals::poisson : Arrivals::even;
        const ScheduleOptions options{
            .arrivals = arrivals,
            .jitter = {Jitter::Kind::sequence, 5ms},
            .max_lag = 24h,
            .seed = seed};
        Schedule at_once{shape, options, start};
        Schedule bit_by_bit{shape, options, start};
        const auto all = take(at_once, start + 30s);
        std::vector<TimePoint> parts;
        for (TimePoint now = start; now < start + 30s; now += from_seconds(random.unit())) {
            while (bit_by_bit.due(std::min(now, start + 30s), 1 + random.below(100), parts) > 0) {
            }
        }
        while (bit_by_bit.due(start + 30s, 1'000, parts) > 0) {
        }
        CHECK(all == parts);
    }
}

TEST_CASE("a constant rate is even to the nanosecond, without drift") {
    Schedule schedule{*constant(3), {.max_lag = 24h}, start};
    const auto times = take(schedule, start + 10h);
    REQUIRE(times.size() == 108'000);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double exact = static_cast<double>(i + 1) / 3;
        CHECK(std::abs(seconds(times[i] - start) - exact) < 2e-9);
    }
}

TEST_CASE("very low and very high rates are kept") {
    Schedule slow{*constant(0.001), {}, start};
    CHECK(slow.next() == start + 1000s);
    CHECK(take(slow, start + 999s).empty());
    CHECK(take(slow, start + 1000s).size() == 1);
    CHECK(slow.next() == start + 2000s);
    Schedule fast{*constant(1e6), {}, start};
    CHECK(take(fast, start + 1s).size() == 1'000'000);
    Schedule almost_never{*constant(1e-12), {}, start};
    CHECK_FALSE(almost_never.next().has_value());
}

TEST_CASE("rate 0 stops, says so, and piles nothing up") {
    Schedule schedule{*steps({{100, 1s}, {0, 10s}, {100, 1s}}, After::stop), {}, start};
    CHECK(take(schedule, start + 5s).size() == 100);
    CHECK(schedule.rate(start + 5s) == 0);
    CHECK(schedule.next() == start + 11'010ms);
    CHECK(take(schedule, start + 11s).empty());
    CHECK(take(schedule, start + 12s).size() == 100);
    CHECK_FALSE(schedule.next().has_value());
    schedule.change(*constant(0), start + 12s);
    CHECK_FALSE(schedule.next().has_value());
    schedule.change(*constant(10), start + 1h);
    CHECK(schedule.next() == start + 1h + 100ms);
}

TEST_CASE("Poisson has the mean of the shape and the spread of chance") {
    Schedule schedule{
        *constant(1'000), {.arrivals = Arrivals::poisson, .max_lag = 1h, .seed = 7}, start};
    const auto times = take(schedule, start + 100s);
    CHECK(static_cast<double>(times.size()) == doctest::Approx(100'000).epsilon(0.02));
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double gap = seconds(times[i] - times[i - 1]);
        sum += gap;
        squares += gap * gap;
    }
    const auto n = static_cast<double>(times.size() - 1);
    const double mean = sum / n;
    CHECK(std::sqrt(squares / n - mean * mean) == doctest::Approx(mean).epsilon(0.03));
}

TEST_CASE("a batch is bounded and the rest comes with the next call") {
    Schedule schedule{*constant(1'000), {}, start};
    CHECK(take(schedule, start + 1s, 300).size() == 300);
    const auto rest = take(schedule, start + 1s);
    CHECK(rest.size() == 700);
    CHECK(rest.front() == start + 301ms);
}

TEST_CASE("a finite run ends; a reset begins it again; more may be allowed later") {
    Schedule schedule{*constant(10), {.max_messages = 5}, start};
    CHECK(take(schedule, start + 1s).size() == 5);
    CHECK(schedule.finished());
    CHECK_FALSE(schedule.next().has_value());
    schedule.limit(7);
    CHECK(take(schedule, start + 1s).size() == 2);
    schedule.reset(start + 100s);
    CHECK(schedule.next() == start + 100'100ms);
    CHECK(take(schedule, start + 200s).size() == 7);
}

TEST_CASE("who comes late catches up to the lag that is allowed; the rest is counted as dropped") {
    Schedule schedule{*constant(100), {.max_lag = 2s}, start};
    CHECK(take(schedule, start + 1s).size() == 100);
    const auto late = take(schedule, start + 11s);
    CHECK(late.size() == 200);
    CHECK(late.front() == start + 9'010ms);
    CHECK(schedule.dropped() == 800);
    CHECK(schedule.next() == start + 11'010ms);
}

TEST_CASE("skipping keeps only the newest and the rhythm") {
    Schedule schedule{*constant(100), {.late = Late::skip, .max_lag = 50ms}, start};
    CHECK(take(schedule, start + 50ms).size() == 5); // late within the allowed lag
    const auto late = take(schedule, start + 1'005ms);
    REQUIRE(late.size() == 1);
    CHECK(late.front() == start + 1s);
    CHECK(schedule.dropped() == 94);
    CHECK(schedule.next() == start + 1'010ms);
}

TEST_CASE("a changed rate continues from now: no jump, no burst, nothing forgotten") {
    Schedule schedule{*constant(10), {}, start};
    CHECK(take(schedule, start + 1'050ms).size() == 10);
    schedule.change(*constant(1'000), start + 1'050ms);
    // Half of the way to the next one was gone, so half a gap of the new rate is left.
    CHECK(schedule.next() == start + 1'050'500us);
    CHECK(take(schedule, start + 2'050ms).size() == 1'000);
    schedule.change(*constant(0.1), start + 2'050ms);
    CHECK(take(schedule, start + 7s).empty());
    CHECK(schedule.dropped() == 0);
    schedule.change(*constant(10), start + 100s); // ten were due in between and nobody came
    CHECK(schedule.dropped() == 10);
}

TEST_CASE("a sine that only grows stays in phase; another period begins anew") {
    Schedule schedule{*sine({0, 100, 60s}), {.max_lag = 1h}, start};
    take(schedule, start + 40s);
    schedule.change(*sine({0, 200, 60s}), start + 40s);
    CHECK(schedule.rate(start + 45s) == doctest::Approx(0));
    CHECK(schedule.rate(start + 75s) == doctest::Approx(200));
    schedule.change(*sine({0, 200, 30s}), start + 45s);
    CHECK(schedule.rate(start + 45s) == doctest::Approx(100));
}

TEST_CASE("nothing is owed for a pause and the shape stands still in it") {
    Schedule schedule{*ramp({0, 100, 10s}), {.max_lag = 1h}, start};
    CHECK(take(schedule, start + 5s).size() == 125);
    schedule.pause(start + 5s);
    CHECK(schedule.paused());
    CHECK(take(schedule, start + 60s).empty());
    CHECK_FALSE(schedule.next().has_value());
    schedule.resume(start + 65s);
    CHECK(take(schedule, start + 65s).empty());
    CHECK(take(schedule, start + 70s).size() == 375);
}

TEST_CASE("periodic jitter is alike in every cycle, sequence jitter is not") {
    const Shape shape = *steps({{50, 1s}, {25, 2s}}, After::repeat);
    for (const auto kind : {Jitter::Kind::periodic, Jitter::Kind::sequence}) {
        Schedule schedule{shape, {.jitter = {kind, 5ms}, .seed = 3}, start};
        const auto times = take(schedule, start + 6s - 100ms);
        bool alike = true;
        for (std::size_t i = 0; i < 90; ++i)
            alike = alike && std::chrono::abs(times[i + 100] - times[i] - 3s) < 10ns;
        CHECK(alike == (kind == Jitter::Kind::periodic));
        Schedule plain{shape, {}, start};
        const auto even = take(plain, start + 6s - 100ms);
        for (std::size_t i = 0; i < 190; ++i) {
            CHECK(times[i] >= even[i]);
            CHECK(times[i] - even[i] <= 5ms);
        }
    }
}
