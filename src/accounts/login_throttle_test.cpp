#include "accounts/login_throttle.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {
const TimePoint start{};
} // namespace

TEST_CASE("a few typing errors cost nothing, then each failure doubles the pause up to a limit") {
    LoginThrottle throttle{{.free_failures = 3, .first_pause = 1s, .longest_pause = 4s}};
    throttle.failed("peer", start);
    throttle.failed("peer", start);
    CHECK(throttle.pause_left("peer", start) == 0s);
    throttle.failed("peer", start);
    CHECK(throttle.pause_left("peer", start) == 1s);
    throttle.failed("peer", start);
    CHECK(throttle.pause_left("peer", start) == 2s);
    for (int i = 0; i < 50; ++i) throttle.failed("peer", start);
    CHECK(throttle.pause_left("peer", start) == 4s);
    CHECK(throttle.pause_left("peer", start + 4s) == 0s);
    CHECK(throttle.pause_left("other", start) == 0s);
}

TEST_CASE("a success or a quiet hour forgets the failures") {
    LoginThrottle throttle{{.free_failures = 2, .first_pause = 10s}};
    throttle.failed("peer", start);
    throttle.failed("peer", start);
    throttle.succeeded("peer");
    CHECK(throttle.pause_left("peer", start) == 0s);
    throttle.failed("peer", start);
    throttle.failed("peer", start + 2h);
    CHECK(throttle.pause_left("peer", start + 2h) == 0s);
}

TEST_CASE("a flood of subjects keeps memory bounded") {
    LoginThrottle throttle{{.subjects_max = 10}};
    for (int i = 0; i < 1000; ++i) throttle.failed(std::to_string(i), start);
    CHECK(throttle.size() == 10);
}
