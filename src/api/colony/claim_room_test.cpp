#include "api/colony/claim_room.hpp"

#include <doctest/doctest.h>

using hive::rest::ClaimRoom;

namespace {
struct Bee {
    void wait_in(ClaimRoom& room) {
        room.enter(seeker, room.rings(), [this](bool) { ++woken; });
    }
    ClaimRoom::Seeker seeker;
    int woken = 0;
};
} // namespace

TEST_CASE("each task wakes one bee that may take it, the one who came first") {
    ClaimRoom room;
    Bee first{{"B1", {"cpp"}, {}}};
    Bee second{{"B2", {"cpp", "sql"}, {}}};
    Bee third{{"B3", {}, {"night"}}};
    for (auto* bee : {&first, &second, &third}) bee->wait_in(room);
    room.ring({"", {"sql"}, {}});
    CHECK(second.woken == 1);
    room.ring({"", {"cpp"}, {}});
    CHECK(first.woken == 1);
    room.ring({"", {}, {}}); // without the tag the third wishes
    CHECK(third.woken == 0);
    room.ring({"B3", {}, {"night", "x"}});
    CHECK(third.woken == 1);
}

TEST_CASE("what rings between looking and waiting is not missed, and who left is not woken") {
    ClaimRoom room;
    int woken = 0;
    const auto seen = room.rings();
    room.ring({});
    room.enter({"B1", {}, {}}, seen, [&](bool) { ++woken; });
    CHECK(woken == 1);
    const auto place = room.enter({"B1", {}, {}}, room.rings(), [&](bool) { ++woken; });
    room.leave(place);
    room.ring({});
    CHECK(woken == 1);
}
