#include "wire/work_item.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;
using namespace std::chrono_literals;

namespace {

Step step(std::string payload) {
    return {.payload = std::move(payload), .by = {"processor", "p-1"}};
}

Hop hop(Duration at) {
    return {{"processor", "p-1"}, Timestamp{at}, Timestamp{at}};
}

// An item that `bees` bees have handled one after the other under the same policy.
WorkItem travelled(int bees, HistoryPolicy policy) {
    WorkItem item;
    for (int i = 0; i < bees; ++i) {
        item.add_step(step(std::to_string(i)), policy);
        item.add_hop(hop(std::chrono::seconds{i}), policy);
    }
    return item;
}

} // namespace

TEST_CASE("the payload of an item is that of its last step") {
    WorkItem item;
    CHECK(item.payload() == "");
    item.add_step(step("first"), {});
    item.add_step({.payload = "AA==", .encoding = Encoding::base64}, {});
    CHECK(item.payload() == "AA==");
    CHECK(item.payload_encoding() == Encoding::base64);
}

TEST_CASE("a history policy decides which steps and hops travel on") {
    const auto full = travelled(5, {});
    CHECK(full.steps.size() == 5);
    CHECK(full.hops.size() == 5);
    const auto latest = travelled(5, {.keep = History::latest_only});
    CHECK(latest.steps.size() == 1);
    CHECK(latest.payload() == "4");
    CHECK(latest.hops.size() == 5);
    const auto none = travelled(5, {.keep = History::disabled});
    CHECK(none.steps.size() == 1);
    CHECK(none.payload() == "4");
    CHECK(none.hops == std::vector{hop(4s)});
    const auto bounded = travelled(5, {.keep = History::bounded, .max_steps = 2});
    CHECK(bounded.steps == std::vector{step("3"), step("4")});
    CHECK(bounded.hops.size() == 5);
    CHECK(travelled(3, {.keep = History::bounded, .max_steps = 0}).steps == std::vector{step("2")});
}

TEST_CASE("an item that travels in a circle does not grow for ever") {
    const auto item = travelled(1000, {});
    CHECK(item.steps.size() == steps_max);
    CHECK(item.payload() == "999");
    REQUIRE(item.hops.size() == hops_max);
    CHECK(item.hops.front() == hop(0s));
    CHECK(item.hops.back() == hop(999s));
}

TEST_CASE("a moved-from item has no steps") {
    WorkItem item = travelled(3, {});
    const WorkItem moved = std::move(item);
    CHECK(moved.steps.size() == 3);
    CHECK(item.steps.empty()); // NOLINT: that is what is promised
}

TEST_CASE("a header is found, replaced and removed by its name") {
    Headers headers;
    headers.set("a", "one");
    headers.set("b", HeaderValue::json("[1]"));
    headers.set("a", "two");
    CHECK(headers.size() == 2);
    CHECK(headers.text("a") == "two");
    CHECK(headers.text("b") == "");
    CHECK(headers.find("b")->str() == "[1]");
    headers.erase("a");
    headers.erase("never there");
    CHECK(headers.find("a") == nullptr);
    CHECK(headers.size() == 1);
}

TEST_CASE("stamps are equal when they name the same bee") {
    const Stamp stamp{"processor", "p-1"};
    const Stamp shared = stamp;
    CHECK(shared == stamp);
    CHECK(&shared.instance() == &stamp.instance());
    CHECK(stamp == Stamp{"processor", "p-1"});
    CHECK(stamp != Stamp{"processor", "p-2"});
    CHECK(Stamp{} == Stamp{});
    CHECK(Stamp{}.service().empty());
    CHECK(Stamp{} != stamp);
}

TEST_CASE("a known name of a header is the same as one that was read") {
    static constexpr KnownName known{"x-ph-seq"};
    Headers made;
    made.append(known, HeaderValue::json("1"));
    Headers read;
    read.append(std::string{"x-ph-seq"}, HeaderValue::json("1"));
    CHECK(made == read);
    CHECK(made.find("x-ph-seq") != nullptr);
    CHECK(read.find(known) != nullptr);
}

TEST_CASE("a name of its own survives copies and moves of its headers") {
    Headers first;
    first.set("x-of-its-own", std::string{"1"});
    Headers copy = first;
    const Headers moved = std::move(first);
    copy.set("x-of-its-own", std::string{"2"});
    CHECK(moved.text("x-of-its-own") == "1");
    CHECK(copy.text("x-of-its-own") == "2");
    copy = moved;
    CHECK(copy == moved);
}

TEST_CASE("an item that is used again has nothing of the one before but its room") {
    WorkItem item;
    item.headers.set("a", std::string{"1"});
    item.message_id = "m";
    item.content_type = "text/plain";
    item.swarm_id = "alpha";
    item.trace_id = "0af7651916cd43dd8448eb211c80319c";
    item.add_step({.payload = "{}", .by = {"generator", "g-1"}}, {});
    item.add_hop({.by = {"generator", "g-1"}}, {});
    WorkItem place;
    place.swap(item);
    CHECK(item == WorkItem{});
    CHECK(place.message_id == "m");
    const std::size_t room = place.steps.capacity();
    place.clear();
    CHECK(place == WorkItem{});
    CHECK(place.steps.capacity() == room);
    for (std::size_t i = 0; i < 100; ++i) place.add_hop({}, {});
    place.clear();
    CHECK(place.hops.capacity() == 0); // an unusual one leaves no room
}
