#include "accounts/device_login.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint start{};

DeviceEntropy entropy(std::uint8_t seed) {
    DeviceEntropy out;
    out.device_code.fill(seed);
    for (std::size_t i = 0; i < out.user_code.size(); ++i) {
        out.user_code[i] = static_cast<std::uint8_t>(seed + i);
    }
    return out;
}

const Principal alice{.id = "alice", .role = Role::human};

} // namespace

TEST_CASE("a program gets its person once the person typed the code, and only once") {
    DeviceLogins logins;
    const auto begun = logins.begin(entropy(0), start);
    REQUIRE(begun);
    CHECK(begun->user_code == "BCDF-GHJK");
    const std::string code{begun->device_code.reveal()};
    CHECK(std::holds_alternative<DevicePending>(logins.poll(code, start)));
    CHECK(logins.waits("bcdfghjk", start));
    REQUIRE(logins.approve("bcdf ghjk", alice, start + 3s));
    CHECK_FALSE(logins.waits("BCDF-GHJK", start + 3s));
    const auto poll = logins.poll(code, start + 5s);
    REQUIRE(std::holds_alternative<DeviceApproved>(poll));
    CHECK(std::get<DeviceApproved>(poll).person == alice);
    CHECK(std::holds_alternative<DeviceUnknown>(logins.poll(code, start + 10s)));
}

TEST_CASE("a refusal is told; an answer cannot be changed") {
    DeviceLogins logins;
    const auto begun = logins.begin(entropy(3), start);
    REQUIRE(logins.deny(begun->user_code, start));
    CHECK(logins.approve(begun->user_code, alice, start).error().code == Errc::not_found);
    CHECK(
        std::holds_alternative<DeviceDenied>(logins.poll(begun->device_code.reveal(), start + 5s)));
}

TEST_CASE("who polls too fast is told to slow down, for good") {
    DeviceLogins logins;
    const auto begun = logins.begin(entropy(1), start);
    const std::string code{begun->device_code.reveal()};
    CHECK(std::holds_alternative<DevicePending>(logins.poll(code, start)));
    const auto fast = logins.poll(code, start + 1s);
    REQUIRE(std::holds_alternative<DeviceTooFast>(fast));
    CHECK(std::get<DeviceTooFast>(fast).interval == 10s);
    CHECK(std::holds_alternative<DevicePending>(logins.poll(code, start + 11s)));
    CHECK(std::holds_alternative<DeviceTooFast>(logins.poll(code, start + 17s)));
}

TEST_CASE("codes end after ten minutes, and only so many wait at a time") {
    DeviceLogins logins{{.most = 2}};
    const auto first = logins.begin(entropy(1), start);
    REQUIRE(logins.begin(entropy(2), start));
    CHECK(logins.begin(entropy(4), start).error().code == Errc::limit);
    CHECK(logins.approve(first->user_code, alice, start + 10min).error().code == Errc::not_found);
    CHECK(logins.begin(entropy(4), start + 10min));
    CHECK(logins.size() == 1);
}
