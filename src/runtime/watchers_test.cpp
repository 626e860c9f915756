#include "runtime/watchers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <thread>

using namespace hive;
using namespace hive::runtime;

namespace {

Exit some_exit() {
    return {.name = {*SwarmId::parse("alpha"), *Role::parse("generator"), *InstanceId::parse("g")}};
}

} // namespace

TEST_CASE("every watcher hears of an exit, until its subscription ends") {
    Watchers watchers;
    int first = 0;
    int second = 0;
    auto subscription = watchers.add([&](const Exit&) { ++first; });
    const auto other = watchers.add([&](const Exit& exit) { second += exit.failed ? 1 : 0; });
    watchers.tell(some_exit());
    subscription.reset();
    watchers.tell(some_exit());
    CHECK(first == 1);
    CHECK(second == 2);
}

TEST_CASE("a watcher may end its own subscription while it is told") {
    Watchers watchers;
    int heard = 0;
    Subscription subscription;
    subscription = watchers.add([&](const Exit&) {
        ++heard;
        subscription.reset();
    });
    watchers.tell(some_exit());
    watchers.tell(some_exit());
    CHECK(heard == 1);
}

TEST_CASE("a subscription may end after what it watched") {
    std::optional<Watchers> watchers{std::in_place};
    auto subscription = watchers->add([](const Exit&) {});
    watchers.reset();
    subscription.reset();
}

TEST_CASE("once a subscription has ended its listener is not running") {
    Watchers watchers;
    std::atomic<bool> inside{false};
    std::atomic<bool> left{false};
    auto subscription = watchers.add([&](const Exit&) {
        inside = true;
        for (int i = 0; i < 1000; ++i) std::this_thread::yield();
        left = true;
    });
    std::jthread telling{[&] { watchers.tell(some_exit()); }};
    while (!inside) std::this_thread::yield();
    subscription.reset();
    CHECK(left);
}
