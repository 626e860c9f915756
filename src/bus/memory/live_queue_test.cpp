#include "bus/item_refs.hpp"
#include "bus/memory/live_queue.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace hive::bus::memory;
using hive::bus::Bell;
using hive::bus::refs_of;

namespace {

std::array<wire::WorkItem, 1> one_item() {
    std::array<wire::WorkItem, 1> items;
    items[0].steps.emplace_back();
    return items;
}

} // namespace

TEST_CASE("a queue that stays full keeps no bell of a sender that is gone") {
    LiveQueue queue{{.name = "q"}, 1, 0};
    Aftermath after;
    auto items = one_item();
    REQUIRE(queue.push(refs_of(items), TimePoint{}, after) == 1);
    auto gone = std::make_shared<Bell>([] {});
    const std::weak_ptr<Bell> watched = gone;
    CHECK(queue.ring_when_room(gone));
    gone.reset();
    CHECK(queue.ring_when_room(std::make_shared<Bell>([] {})));
    CHECK(watched.expired());
}

TEST_CASE("room that is there already needs no bell") {
    LiveQueue queue{{.name = "q"}, 1, 0};
    CHECK(!queue.ring_when_room(std::make_shared<Bell>([] {})));
}

TEST_CASE("a reservation holds its place against other senders until it is used or cancelled") {
    LiveQueue queue{{.name = "q"}, 3, 0};
    Aftermath after;
    CHECK(queue.reserve(2) == 2);
    CHECK(queue.reserve(2) == 1);
    auto items = one_item();
    CHECK(queue.push(refs_of(items), TimePoint{}, after) == 0);
    queue.cancel(1);
    CHECK(queue.push(refs_of(items), TimePoint{}, after) == 1);
    auto more = one_item();
    queue.push_reserved(refs_of(more), TimePoint{}, after);
    CHECK(queue.stats(TimePoint{}, after).depth == 2);
}

TEST_CASE("a removed queue takes nothing and holds nobody up") {
    LiveQueue queue{{.name = "q"}, 1, 0};
    Aftermath after;
    queue.remove(after);
    auto items = one_item();
    CHECK(queue.push(refs_of(items), TimePoint{}, after) == 0);
    CHECK(!items[0].steps.empty());
    REQUIRE(queue.reserve(1) == 1);
    queue.push_reserved(refs_of(items), TimePoint{}, after);
    CHECK(queue.stats(TimePoint{}, after).depth == 0);
}

TEST_CASE("a consumer that ended before it was added is not added") {
    const auto queue = std::make_shared<LiveQueue>(bus::Queue{.name = "q"}, 1, 0);
    const auto consumer = std::make_shared<Consumer>(queue, [](bus::ControlDelivery) {}, 1);
    consumer->active = false;
    Aftermath after;
    CHECK(!queue->add_consumer(consumer, after));
    CHECK(queue->stats(TimePoint{}, after).consumers == 0);
}
