#include "bus/memory/work_lane.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace hive;
using namespace hive::bus::memory;

namespace {

wire::WorkItem item(std::uint64_t number) {
    wire::WorkItem made;
    made.trace_id = std::to_string(number);
    made.steps.emplace_back();
    return made;
}

void fill(WorkLane& lane, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) lane.append({i, TimePoint{}}).item = item(i);
}

std::vector<std::uint64_t> places_of(const Chunk& chunk) {
    std::vector<std::uint64_t> places;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        CHECK(chunk.items[i].item.trace_id == std::to_string(chunk.tickets[i].place));
        places.push_back(chunk.tickets[i].place);
    }
    return places;
}

} // namespace

TEST_CASE("a lane gives whole chunks or the part that was asked for, in order") {
    WorkLane lane;
    CHECK(lane.take(1) == nullptr);
    fill(lane, 0, 130);
    CHECK(lane.size() == 130);
    std::vector<std::uint64_t> all;
    for (const std::size_t max : {1UL, 5UL, 100UL, 1000UL, 1000UL}) {
        const auto chunk = lane.take(max);
        if (!chunk) break;
        CHECK(chunk->size() <= max);
        const auto places = places_of(*chunk);
        all.insert(all.end(), places.begin(), places.end());
    }
    CHECK(lane.empty());
    REQUIRE(all.size() == 130);
    for (std::uint64_t i = 0; i < 130; ++i) CHECK(all[i] == i);
}

TEST_CASE("an item put back gets its old place") {
    WorkLane lane;
    fill(lane, 0, 6);
    auto taken = lane.take(4);
    REQUIRE(taken);
    for (const std::size_t i : {2UL, 0UL, 1UL}) {
        lane.put_back(taken->tickets[i], std::move(taken->items[i]));
    }
    CHECK(lane.size() == 5);
    CHECK(lane.front().place == 0);
    CHECK(places_of(*lane.take(2)) == std::vector<std::uint64_t>{0, 1});
    CHECK(lane.pop().trace_id == "2");
    CHECK(lane.pop().trace_id == "4");
    CHECK(lane.pop().trace_id == "5");
    CHECK(lane.empty());
}

TEST_CASE("a recycled chunk is used again and starts empty") {
    WorkLane lane;
    fill(lane, 0, 64);
    auto chunk = lane.take(64);
    REQUIRE(chunk);
    const Chunk* address = chunk.get();
    for (auto& delivered : chunk->items) delivered.item = {};
    lane.recycle(std::move(chunk));
    fill(lane, 64, 70);
    const auto again = lane.take(64);
    REQUIRE(again.get() == address);
    CHECK(again->size() == 6);
}

TEST_CASE("clearing a lane tells how much was in it") {
    WorkLane lane;
    fill(lane, 0, 100);
    auto taken = lane.take(2);
    REQUIRE(taken);
    lane.put_back(taken->tickets[0], std::move(taken->items[0]));
    CHECK(lane.clear() == 99);
    CHECK(lane.empty());
    CHECK(lane.take(10) == nullptr);
}
