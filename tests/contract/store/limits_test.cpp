#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// Never ends by itself on either engine.
Status count_forever(Session& session) {
    return session.query(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 - i % 2 * 2 FROM n) "
        "SELECT count(*) FROM n WHERE i < 0",
        {}, [](const Row&) {});
}

} // namespace

TEST_CASE("a full queue refuses at once and takes units again when there is room") {
    StoreUnderTest store{{.writes_waiting = 3}};
    Outcomes outcomes;
    {
        const Gate gate{store.db()};
        for (int i = 1; i <= 3; ++i) {
            REQUIRE(store.db().write({insert_thing(i, "x")}, outcomes.expect()));
        }
        const Status refused = store.db().write(
            {insert_thing(4, "x")}, [](const Status&) { FAIL("it was not taken"); });
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::limit);
    }
    for (const auto& outcome : outcomes.wait()) CHECK(outcome.has_value());
    CHECK(store.add(4, "x"));
    CHECK(store.ids() == std::vector<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE("a unit that waited past its deadline is not started") {
    StoreUnderTest store;
    Outcomes outcomes;
    {
        const Gate gate{store.db()};
        REQUIRE(
            store.db().write({.work = insert_thing(1, "late"), .within = 0s}, outcomes.expect()));
        REQUIRE(store.db().write({insert_thing(2, "in time")}, outcomes.expect()));
    }
    const auto found = outcomes.wait();
    REQUIRE_FALSE(found[0]);
    CHECK(found[0].error().code == Errc::timeout);
    CHECK(found[1].has_value());
    CHECK(store.ids() == std::vector<std::int64_t>{2});
}

TEST_CASE("a unit that runs too long is stopped and its neighbours go on") {
    StoreUnderTest store;
    Outcomes outcomes;
    {
        const Gate gate{store.db()};
        REQUIRE(store.db().write({insert_thing(1, "before")}, outcomes.expect()));
        REQUIRE(store.db().write(
            {.work = [](Session& session) -> Status {
                 if (auto ok = insert_thing(2, "endless")(session); !ok) return ok;
                 return count_forever(session);
             },
             .within = 300ms},
            outcomes.expect()));
        REQUIRE(store.db().write({insert_thing(3, "after")}, outcomes.expect()));
    }
    const auto found = outcomes.wait();
    CHECK(found[0].has_value());
    REQUIRE_FALSE(found[1]);
    CHECK(found[1].error().code == Errc::timeout);
    CHECK(found[2].has_value());
    CHECK(store.ids() == std::vector<std::int64_t>{1, 3});
}

TEST_CASE("a read that runs too long is stopped and the next one works") {
    StoreUnderTest store;
    const Status status = read_and_wait(store.db(), {.work = count_forever, .within = 200ms});
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::timeout);
    CHECK(store.ids().empty());
}

TEST_CASE("closing finishes what was taken and takes no more") {
    StoreUnderTest store;
    Outcomes outcomes;
    {
        const Gate gate{store.db()};
        for (int i = 1; i <= 20; ++i) {
            REQUIRE(store.db().write({insert_thing(i, "x")}, outcomes.expect()));
        }
    }
    REQUIRE(store.db().close(10s));
    for (const auto& outcome : outcomes.wait()) CHECK(outcome.has_value());
    const Status late = store.add(21, "x");
    REQUIRE_FALSE(late);
    CHECK(late.error().code == Errc::closed);
    CHECK(store.db().close(10s));
    store.reopen();
    CHECK(store.ids().size() == 20);
}

TEST_CASE("closing out of time refuses what is still waiting") {
    StoreUnderTest store;
    Outcomes outcomes;
    Gate gate{store.db()};
    REQUIRE(store.db().write({insert_thing(1, "x")}, outcomes.expect()));
    const Status closed = store.db().close(0s);
    REQUIRE_FALSE(closed);
    CHECK(closed.error().code == Errc::timeout);
    const auto found = outcomes.wait();
    REQUIRE_FALSE(found[0]);
    CHECK(found[0].error().code == Errc::closed);
    gate.open();
    store.reopen();
    CHECK(store.ids().empty());
}
