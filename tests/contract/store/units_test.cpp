#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

using Ids = std::vector<std::int64_t>;

TEST_CASE("what is written is there for every read that follows, and after reopening") {
    StoreUnderTest store;
    for (int i = 1; i <= 20; ++i) {
        REQUIRE(store.add(i, "x"));
        REQUIRE(store.ids().back() == i);
    }
    store.reopen();
    CHECK(store.ids().size() == 20);
}

TEST_CASE("a unit that returns an error leaves nothing behind") {
    StoreUnderTest store;
    const Status status = store.write([](Session& session) -> Status {
        REQUIRE(insert_thing(1, "one")(session));
        return fail(Errc::denied, "on second thought");
    });
    REQUIRE_FALSE(status);
    CHECK(status.error() == Error{Errc::denied, "on second thought"});
    CHECK(store.ids().empty());
}

TEST_CASE("a unit that throws leaves nothing behind and says what was thrown") {
    StoreUnderTest store;
    const Status status = store.write([](Session& session) -> Status {
        REQUIRE(insert_thing(1, "one")(session));
        throw std::runtime_error("out of cheese");
    });
    REQUIRE_FALSE(status);
    CHECK(status.error().detail.find("out of cheese") != std::string::npos);
    CHECK(store.ids().empty());
}

TEST_CASE("a column read as what it is not ends the unit, not the program") {
    StoreUnderTest store;
    REQUIRE(store.add(1, "one"));
    const auto wrong = [](Session& session) -> Status {
        return session.query("SELECT name FROM thing", {}, [](const Row& row) {
            static_cast<void>(row.integer(0));
        });
    };
    const Status read = store.read(wrong);
    REQUIRE_FALSE(read);
    CHECK(read.error().detail.find("column 0 holds text") != std::string::npos);
    REQUIRE_FALSE(store.write(wrong));
    CHECK(store.ids() == Ids{1});
}

TEST_CASE("a failed statement fails its unit even when the unit does not say so") {
    StoreUnderTest store;
    REQUIRE(store.add(1, "one"));
    const Status status = store.write([](Session& session) -> Status {
        REQUIRE(insert_thing(2, "two")(session));
        REQUIRE_FALSE(insert_thing(1, "again")(session));
        CHECK_FALSE(insert_thing(3, "three")(session)); // refused: the unit is lost
        return {};
    });
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::conflict);
    CHECK(store.ids() == Ids{1});
}

TEST_CASE("units of one group fail alone and succeed together") {
    StoreUnderTest store;
    REQUIRE(store.add(3, "in the way"));
    Outcomes outcomes;
    {
        const Gate gate{store.db()};
        for (int i = 1; i <= 5; ++i) {
            REQUIRE(store.db().write({insert_thing(i, "x")}, outcomes.expect()));
        }
        REQUIRE(store.db().write(
            {.work = [](Session&) -> Status { throw std::runtime_error("broken"); }},
            outcomes.expect()));
        REQUIRE(store.db().write({insert_thing(6, "x")}, outcomes.expect()));
    }
    const auto found = outcomes.wait();
    REQUIRE(found.size() == 7);
    for (const std::size_t good : {0U, 1U, 3U, 4U, 6U}) CHECK(found[good].has_value());
    REQUIRE_FALSE(found[2]);
    CHECK(found[2].error().code == Errc::conflict);
    CHECK_FALSE(found[5]);
    CHECK(store.ids() == Ids{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a unit sees what the units before it did, in the order they were given") {
    StoreUnderTest store;
    Outcomes outcomes;
    std::vector<std::int64_t> seen;
    {
        const Gate gate{store.db()};
        for (int i = 0; i < 50; ++i) {
            REQUIRE(store.db().write(
                {.work = [i, &seen](Session& session) -> Status {
                    if (auto ok = insert_thing(i, "x")(session); !ok) return ok;
                    return session.query("SELECT count(*) FROM thing", {}, [&](const Row& row) {
                        seen.push_back(row.integer(0));
                    });
                }},
                outcomes.expect()));
        }
    }
    for (const auto& outcome : outcomes.wait()) CHECK(outcome.has_value());
    REQUIRE(seen.size() == 50);
    for (int i = 0; i < 50; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i + 1);
}

TEST_CASE("a read keeps its snapshot while others write") {
    StoreUnderTest store;
    REQUIRE(store.add(1, "one"));
    Ids before;
    Ids after;
    REQUIRE(store.read([&](Session& session) -> Status {
        const auto ids = [&](Ids& into) {
            into.clear();
            return session.query("SELECT id FROM thing ORDER BY id", {}, [&](const Row& row) {
                into.push_back(row.integer(0));
            });
        };
        if (auto ok = ids(before); !ok) return ok;
        Outcomes outcomes;
        REQUIRE(store.db().write({insert_thing(2, "two")}, outcomes.expect()));
        REQUIRE(outcomes.wait().front());
        return ids(after);
    }));
    CHECK(before == Ids{1});
    CHECK(after == Ids{1});
    CHECK(store.ids() == Ids{1, 2});
}

TEST_CASE("a read cannot write") {
    StoreUnderTest store;
    const Status status = store.read(insert_thing(1, "one"));
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::denied);
    CHECK(store.ids().empty());
}

TEST_CASE("units cannot end the transaction they share") {
    StoreUnderTest store;
    for (const char* sql : {"COMMIT", "rollback", " BEGIN", "END", "SAVEPOINT x", "RELEASE unit"}) {
        const Status status = store.write([&](Session& session) -> Status {
            REQUIRE(insert_thing(1, "one")(session));
            auto done = session.execute(sql, {});
            if (!done) return fail(done.error());
            return {};
        });
        REQUIRE_FALSE(status);
        CHECK(status.error().code == Errc::invalid);
    }
    CHECK(store.ids().empty());
}

TEST_CASE("a session cannot be used from inside a row handler") {
    StoreUnderTest store;
    REQUIRE(store.add(1, "one"));
    const Status status = store.write([](Session& session) -> Status {
        return session.query("SELECT id FROM thing", {}, [&](const Row&) {
            CHECK_FALSE(insert_thing(2, "two")(session));
        });
    });
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::invalid);
    CHECK(store.ids() == Ids{1});
}

TEST_CASE("many threads write at once and every write is there") {
    StoreUnderTest store;
    constexpr int writers = 8;
    constexpr int each = 50;
    std::atomic<int> failed{0};
    {
        std::vector<std::jthread> threads;
        for (int w = 0; w < writers; ++w) {
            threads.emplace_back([&, w] {
                for (int i = 0; i < each; ++i) {
                    if (!store.add(w * each + i, "x")) ++failed;
                }
            });
        }
    }
    CHECK(failed == 0);
    CHECK(store.ids().size() == writers * each);
}

TEST_CASE("two servers on one database see each other's writes and lose none") {
    StoreUnderTest store;
    const auto other = store.home().open();
    std::atomic<int> failed{0};
    const auto count_up = [&](Database& database) {
        for (int i = 0; i < 50; ++i) {
            // Reads, then writes: only right when nobody writes in between.
            const Status done =
                write_and_wait(database, {.work = [](Session& session) -> Status {
                                   std::int64_t most = 0;
                                   const auto read = session.query(
                                       "SELECT coalesce(max(id), 0) FROM thing", {},
                                       [&](const Row& row) { most = row.integer(0); });
                                   if (!read) return read;
                                   return insert_thing(most + 1, "x")(session);
                               }});
            if (!done) ++failed;
        }
    };
    {
        const std::jthread first{[&] { count_up(store.db()); }};
        const std::jthread second{[&] { count_up(*other); }};
    }
    CHECK(failed == 0);
    CHECK(store.ids().size() == 100);
    CHECK(store.ids().back() == 100);
}
