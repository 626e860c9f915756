#include "accounts/rate_limit.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {
const RatePolicy ten_a_minute{.name = "messages", .quota = 10, .window = 1min};
const TimePoint start{};
} // namespace

TEST_CASE("a burst up to the quota passes and the next request is told when to come back") {
    RateLimiter limiter;
    for (std::uint32_t i = 0; i < 10; ++i) {
        const auto decision = limiter.take("bee-1", ten_a_minute, start);
        CHECK(decision.allowed);
        CHECK(decision.remaining == 9 - i);
        CHECK(decision.retry_after == 0s);
    }
    const auto refused = limiter.take("bee-1", ten_a_minute, start);
    CHECK_FALSE(refused.allowed);
    CHECK(refused.retry_after == 6s);
    CHECK(refused.full_in == 60s);
}

TEST_CASE("a request passes exactly when its retry-after has gone by") {
    RateLimiter limiter;
    for (int i = 0; i < 10; ++i) (void)limiter.take("bee-1", ten_a_minute, start);
    CHECK_FALSE(limiter.take("bee-1", ten_a_minute, start + 6s - 1ms).allowed);
    CHECK(limiter.take("bee-1", ten_a_minute, start + 6s).allowed);
    CHECK_FALSE(limiter.take("bee-1", ten_a_minute, start + 6s).allowed);
}

TEST_CASE("over a long time no more than the quota per window passes") {
    RateLimiter limiter;
    int passed = 0;
    for (int ms = 0; ms < 600'000; ms += 100) {
        if (limiter.take("bee-1", ten_a_minute, start + std::chrono::milliseconds{ms}).allowed)
            ++passed;
    }
    CHECK(passed >= 109);
    CHECK(passed <= 110); // ten minutes of ten, and the first burst of ten
}

TEST_CASE("callers and endpoint classes do not share a bucket") {
    RateLimiter limiter;
    for (int i = 0; i < 10; ++i) (void)limiter.take("bee-1", ten_a_minute, start);
    CHECK(limiter.take("bee-2", ten_a_minute, start).allowed);
    CHECK(limiter.take("bee-1", {.name = "other", .quota = 1, .window = 1s}, start).allowed);
}

TEST_CASE("a flood of made-up callers keeps memory bounded and an active caller limited") {
    RateLimiter limiter{100};
    for (int i = 0; i < 10; ++i) (void)limiter.take("busy", ten_a_minute, start);
    for (int i = 0; i < 10'000; ++i) {
        (void)limiter.take("made-up-" + std::to_string(i), ten_a_minute, start);
        if (i % 50 == 0) CHECK_FALSE(limiter.take("busy", ten_a_minute, start).allowed);
    }
    CHECK(limiter.size() == 100);
}

TEST_CASE("a clock that stands still or steps back refills nothing") {
    RateLimiter limiter;
    for (int i = 0; i < 10; ++i) (void)limiter.take("bee-1", ten_a_minute, start + 60s);
    CHECK_FALSE(limiter.take("bee-1", ten_a_minute, start).allowed);
    CHECK_FALSE(limiter.take("bee-1", ten_a_minute, start + 60s).allowed);
}

TEST_CASE("the header fields carry policy and rest in whole seconds rounded up") {
    CHECK(rate_limit_policy_field(ten_a_minute) == "\"messages\";q=10;w=60");
    CHECK(
        rate_limit_field(ten_a_minute, {.allowed = true, .remaining = 3, .full_in = 41'500ms}) ==
        "\"messages\";r=3;t=42");
}
