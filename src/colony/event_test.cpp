#include "colony/event.hpp"

#include <doctest/doctest.h>

using namespace hive::colony;

TEST_CASE("a topic is the type, the id and further words, none of which adds a word of its own") {
    CHECK(
        topic_of({.type = "task.claimed", .entity_type = "task", .entity_id = "t1"}) ==
        "task.claimed.t1");
    CHECK(
        topic_of(
            {.type = "message.new",
             .entity_type = "message",
             .entity_id = "m1",
             .words = {"task:v1.2 *", "#x"}}) == "message.new.m1.task:v1_2__._x");
}
