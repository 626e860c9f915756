#include "colony/channels/message.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony::channels;
using namespace std::chrono_literals;

TEST_CASE("a stored message reads back equal, full and empty") {
    const Timestamp now{1'750'000'000s};
    const Message full{
        .id = "m1",
        .channel = "task:TASK-9",
        .sender = "BEE-1",
        .content = "done?",
        .type = "request",
        .reply_to = "m0",
        .thread = "m0",
        .tags = {"#todo"},
        .metadata = {{"n", 1}},
        .created = now,
        .ack_from = {"BEE-2", "BEE-3"},
        .ack_by = now + 1h,
        .overdue = true,
        .acks = {{"BEE-2", now + 1s}}};
    CHECK(from_stored(to_text(to_json(full))).value() == full);
    CHECK(missing_acks(full) == hive::colony::Words{"BEE-3"});
    const Message small{
        .id = "m", .channel = "general", .sender = "a", .content = "x", .created = now};
    CHECK(from_stored(to_text(to_json(small))).value() == small);
    CHECK_FALSE(from_stored("{}"));
    CHECK_FALSE(from_stored("[1]"));
}

TEST_CASE("channels are general, a task's, a bee's, or have a name of their own") {
    CHECK(parse_channel("general")->kind == Channel::Kind::free);
    CHECK(parse_channel("task:2026-01-05-Q33N-x")->subject == "2026-01-05-Q33N-x");
    CHECK(parse_channel("bee:BEE-001")->kind == Channel::Kind::bee);
    CHECK(parse_channel("release-2.1")->name == "release-2.1");
    for (const auto* bad :
         {"", "task:", "bee:a b", "1x", "a/b", "room:x", "a b", "task:a/b", "#x"}) {
        CHECK_MESSAGE(!parse_channel(bad), bad);
    }
}
