#include "api/channel_topics.hpp"
#include "api/events.hpp"
#include "colony/event.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::api;

namespace {

bool hears(std::string_view channel, const colony::Event& event) {
    Subscriptions topics;
    const auto patterns = topics_of_channel(channel);
    REQUIRE(patterns);
    for (const auto& pattern : *patterns) REQUIRE(topics.add(pattern));
    return topics.wants(colony::topic_of(event));
}

colony::Event message(std::string channel) {
    return {
        .type = "message.new",
        .entity_type = "message",
        .entity_id = "m1",
        .words = {std::move(channel)}};
}

} // namespace

TEST_CASE("a channel is its messages; that of a task or a bee is also what happens to it") {
    CHECK(hears("general", message("general")));
    CHECK_FALSE(hears("general", message("other")));
    CHECK(hears("task:TASK-009", message("task:TASK-009")));
    CHECK_FALSE(hears("task:TASK-009", message("general")));
    const colony::Event by_id{
        .type = "task.claimed", .entity_type = "task", .entity_id = "TASK-009"};
    CHECK(hears("task:TASK-009", by_id));
    CHECK_FALSE(hears("task:TASK-010", by_id));
    CHECK_FALSE(hears("general", by_id));
    const colony::Event by_name{
        .type = "task.claimed", .entity_type = "task", .entity_id = "7f3a", .words = {"TASK-009"}};
    CHECK(hears("task:TASK-009", by_name));
    const colony::Event bee{.type = "bee.joined", .entity_type = "bee", .entity_id = "BEE-001"};
    CHECK(hears("bee:BEE-001", bee));
    CHECK_FALSE(hears("bee:BEE-002", bee));
}

TEST_CASE("a channel's name cannot widen what is heard") {
    CHECK_FALSE(hears("#", message("general")));
    CHECK_FALSE(hears("*", message("general")));
    CHECK_FALSE(hears("task:#", message("general")));
    CHECK(topics_of_channel("").error().code == Errc::invalid);
    CHECK(topics_of_channel("task:").error().code == Errc::invalid);
    CHECK(topics_of_channel(std::string(101, 'x')).error().code == Errc::invalid);
}
