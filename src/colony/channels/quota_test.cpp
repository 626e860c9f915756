#include "colony/channels/quota.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::channels;
using namespace std::chrono_literals;

namespace {
const Timestamp noon{1'750'000'000s};
const QuotaPolicy policy{.per_minute = 10, .per_day = 25, .strikes_max = 3, .cooldown = 5min};
} // namespace

TEST_CASE("ten messages a minute, then one every six seconds") {
    Spoken spoken;
    for (int i = 0; i < 10; ++i) {
        const auto said = admit(spoken, policy, noon);
        CHECK(said.verdict == Admission::admitted);
        CHECK(said.left_now == 9 - i);
    }
    const auto refused = admit(spoken, policy, noon);
    CHECK(refused.verdict == Admission::too_fast);
    CHECK(refused.again_in == 6s);
    CHECK(admit(spoken, policy, noon + 6s).verdict == Admission::admitted);
    CHECK(allowance(spoken, policy, noon + 6s).verdict == Admission::too_fast);
}

TEST_CASE("who keeps shouting is silenced for the cooldown, then may speak again") {
    Spoken spoken;
    for (int i = 0; i < 10; ++i) admit(spoken, policy, noon);
    CHECK_FALSE(admit(spoken, policy, noon).tripped);
    CHECK_FALSE(admit(spoken, policy, noon).tripped);
    const auto last = admit(spoken, policy, noon);
    CHECK(last.tripped);
    CHECK(last.again_in == 5min);
    CHECK(admit(spoken, policy, noon + 4min).verdict == Admission::cooling);
    CHECK(admit(spoken, policy, noon + 5min).verdict == Admission::admitted);
}

TEST_CASE("refusals far apart do not add up") {
    Spoken spoken;
    for (int i = 0; i < 10; ++i) admit(spoken, policy, noon);
    CHECK(admit(spoken, policy, noon).verdict == Admission::too_fast);
    for (int i = 0; i < 10; ++i) admit(spoken, policy, noon + 61s);
    CHECK_FALSE(admit(spoken, policy, noon + 61s).tripped);
    CHECK_FALSE(admit(spoken, policy, noon + 61s).tripped);
}

TEST_CASE("the day's quota begins again at midnight, and a clock that goes back costs nothing") {
    Spoken spoken;
    Timestamp now = noon;
    for (int i = 0; i < 25; ++i, now += 6s)
        CHECK(admit(spoken, policy, now).verdict == Admission::admitted);
    const auto over = admit(spoken, policy, now);
    CHECK(over.verdict == Admission::over_day);
    CHECK(over.left_today == 0);
    CHECK(now + over.again_in == std::chrono::floor<std::chrono::days>(now) + std::chrono::days{1});
    CHECK(admit(spoken, policy, now + 24h).verdict == Admission::admitted);
    CHECK(allowance(spoken, policy, now - 1h).left_now >= 0);
}

TEST_CASE("what was said reads back") {
    Spoken spoken;
    for (int i = 0; i < 11; ++i) admit(spoken, policy, noon + 7ms);
    CHECK(spoken_from_stored(to_stored(spoken)).value() == spoken);
    CHECK(spoken_from_stored(to_stored(Spoken{})).value() == Spoken{});
    CHECK_FALSE(spoken_from_stored("{}"));
}
