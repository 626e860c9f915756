#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

namespace {

// What one statement says in a unit of its own.
Status run(StoreUnderTest& store, std::string_view sql, std::vector<Value> params = {}) {
    return store.write([&](Session& session) -> Status {
        auto done = session.execute(sql, params);
        if (!done) return fail(done.error());
        return {};
    });
}

} // namespace

TEST_CASE("every kind of value comes back as it went in") {
    StoreUnderTest store;
    const std::array bytes{std::byte{0}, std::byte{0xff}, std::byte{7}};
    const std::string text = "gr\xc3\xbc\xc3\x9f dich \"'; DROP TABLE thing; --\n";
    const auto type = [&](std::string_view sqlite, std::string_view postgres) {
        return store.db().engine() == Engine::sqlite ? sqlite : postgres;
    };
    const std::string sql = "CREATE TABLE kind (i " + std::string{type("INTEGER", "BIGINT")} +
                            ", r " + std::string{type("REAL", "DOUBLE PRECISION")} +
                            ", t TEXT, b " + std::string{type("BLOB", "BYTEA")} + ")";
    REQUIRE(run(store, sql));
    const std::string insert = "INSERT INTO kind VALUES ($1, $2, $3, $4)";
    const auto most = std::numeric_limits<std::int64_t>::max();
    const auto least = std::numeric_limits<std::int64_t>::min();
    REQUIRE(run(store, insert, {most, 0.1, text, Blob{bytes}}));
    REQUIRE(run(store, insert, {least, -1e300, "", Blob{}}));
    REQUIRE(run(store, insert, {Null{}, Null{}, Null{}, Null{}}));
    REQUIRE(run(store, insert, {true, 2.0, "x", store::bytes_of("x")}));

    int row_number = 0;
    REQUIRE(store.read([&](Session& session) -> Status {
        return session.query("SELECT i, r, t, b FROM kind ORDER BY i", {}, [&](const Row& row) {
            CHECK(row.size() == 4);
            // Nulls sort first on one engine and last on the other.
            if (row.is_null(0)) {
                CHECK(row.is_null(1));
                CHECK(row.is_null(2));
                CHECK(row.is_null(3));
                CHECK(row.integer_if(0) == std::nullopt);
                CHECK(row.text_if(2) == std::nullopt);
                return;
            }
            switch (row_number++) {
            case 0:
                CHECK(row.integer(0) == least);
                CHECK(row.real(1) == -1e300);
                CHECK(row.text(2).empty());
                CHECK(row.blob(3).empty());
                break;
            case 1:
                CHECK(row.integer(0) == 1);
                CHECK(row.boolean(0));
                CHECK(row.real(1) == 2.0);
                break;
            default:
                CHECK(row.integer(0) == most);
                CHECK(row.real(1) == 0.1);
                CHECK(row.text(2) == text);
                CHECK(text_of(row.blob(3)) == std::string_view{"\0\xff\7", 3});
            }
        });
    }));
    CHECK(row_number == 3);
}

TEST_CASE("parameters are bound by their number, in any order and more than once") {
    StoreUnderTest store;
    REQUIRE(run(store, "INSERT INTO thing (name, id) VALUES ($2, $1)", {7, "seven"}));
    std::string found;
    REQUIRE(store.read([&](Session& session) -> Status {
        return session.query(
            "SELECT name FROM thing WHERE name = $2 AND id = $1 AND id < $1 + 1", {7, "seven"},
            [&](const Row& row) { found = row.text(0); });
    }));
    CHECK(found == "seven");
}

TEST_CASE("the number of changed rows is told, and it is zero for other statements") {
    StoreUnderTest store;
    for (int i = 1; i <= 3; ++i) REQUIRE(store.add(i, "x"));
    REQUIRE(store.write([&](Session& session) -> Status {
        CHECK(*session.execute("UPDATE thing SET name = $1 WHERE id > $2", {"y", 1}) == 2);
        CHECK(*session.execute("UPDATE thing SET name = $1 WHERE id > $2", {"y", 9}) == 0);
        CHECK(*session.execute("CREATE INDEX thing_name ON thing (name)", {}) == 0);
        CHECK(*session.execute("SELECT id FROM thing", {}) == 0);
        CHECK(*session.execute("DELETE FROM thing", {}) == 3);
        return {};
    }));
}

TEST_CASE("a row can be returned by the statement that makes it") {
    StoreUnderTest store;
    std::string name;
    REQUIRE(store.write([&](Session& session) -> Status {
        return session.query(
            "INSERT INTO thing (id, name) VALUES ($1, $2) "
            "ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING name",
            {1, "made"}, [&](const Row& row) { name = row.text(0); });
    }));
    CHECK(name == "made");
}

TEST_CASE("each kind of refusal has its own code on both engines") {
    StoreUnderTest store;
    REQUIRE(store.add(1, "one"));
    const auto code = [&](std::string_view sql, std::vector<Value> params) {
        const Status status = run(store, sql, std::move(params));
        REQUIRE_MESSAGE(!status.has_value(), sql);
        return status.error().code;
    };
    const std::string insert = "INSERT INTO thing (id, name) VALUES ($1, $2)";
    CHECK(code(insert, {1, "again"}) == Errc::conflict);
    CHECK(code(insert, {2, Null{}}) == Errc::invalid);
    CHECK(code(insert, {"two", "two"}) == Errc::invalid);
    CHECK(code("SELEKT 1", {}) == Errc::invalid);
    CHECK(code("SELECT * FROM nowhere", {}) == Errc::invalid);
    CHECK(code(insert, {2}) == Errc::invalid);
    CHECK(code("DELETE FROM thing; DELETE FROM thing", {}) == Errc::invalid);
    CHECK(store.ids() == std::vector<std::int64_t>{1});
}

TEST_CASE("a foreign key to nothing is a conflict") {
    StoreUnderTest store;
    REQUIRE(run(store, "CREATE TABLE part (thing BIGINT REFERENCES thing (id))"));
    const Status status = run(store, "INSERT INTO part VALUES ($1)", {42});
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Errc::conflict);
}

TEST_CASE("text that is not clean UTF-8 is refused") {
    StoreUnderTest store;
    for (const std::string_view bad :
         {std::string_view{"a\0b", 3}, std::string_view{"\xff"}, std::string_view{"\xc3"},
          std::string_view{"\xed\xa0\x80"}}) {
        const Status status = store.add(1, bad);
        REQUIRE_FALSE(status);
        CHECK(status.error().code == Errc::invalid);
    }
    CHECK(store.ids().empty());
}

TEST_CASE("text sorts byte by byte") {
    StoreUnderTest store;
    int id = 0;
    for (const char* name : {"b", "a", "B", "\xc3\xa4", "_", "A"}) REQUIRE(store.add(++id, name));
    std::string order;
    REQUIRE(store.read([&](Session& session) -> Status {
        order.clear();
        return session.query("SELECT name FROM thing ORDER BY name", {}, [&](const Row& row) {
            order += row.text(0);
        });
    }));
    CHECK(order == "AB_ab\xc3\xa4");
}

TEST_CASE("a large answer is read row by row") {
    StoreUnderTest store;
    constexpr int rows = 20'000;
    REQUIRE(store.write([](Session& session) -> Status {
        for (int i = 0; i < rows; i += 100) {
            std::string sql = "INSERT INTO thing (id, name) VALUES ";
            for (int j = i; j < i + 100; ++j) {
                sql += (j == i ? "(" : ", (") + std::to_string(j) + ", 'x')";
            }
            if (auto ok = session.execute(sql, {}); !ok) return fail(ok.error());
        }
        return {};
    }));
    CHECK(store.ids().size() == rows);
}
