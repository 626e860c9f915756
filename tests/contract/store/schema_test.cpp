#include "store/migration.hpp"
#include "tests/contract/store/home.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <thread>
#include <vector>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

namespace {

std::vector<std::string> make_thing(Engine) {
    return {"CREATE TABLE thing (id BIGINT PRIMARY KEY)"};
}
std::vector<std::string> make_other_thing(Engine) {
    return {"CREATE TABLE thing (id BIGINT PRIMARY KEY, name TEXT)"};
}
std::vector<std::string> half_broken(Engine) {
    return {"CREATE TABLE extra (id BIGINT)", "CREATE TABLE thing (id BIGINT)"};
}

const Migration first{1, "thing", &make_thing, {}};
const Migration first_edited{1, "thing", &make_other_thing, {}};
const Migration second_broken{2, "extra", &half_broken, {}};

Result<MigrationReport> apply(Database& database, std::vector<Migration> steps) {
    return write_for(database, [&](Session& session) {
        return apply_migrations(
            session, database.engine(), steps, static_cast<std::int64_t>(steps.size()));
    });
}

Status run(Database& database, const std::string& sql) {
    return write_and_wait(database, {.work = [&](Session& session) -> Status {
                              auto done = session.execute(sql, {});
                              if (!done) return fail(done.error());
                              return {};
                          }});
}

} // namespace

TEST_CASE("migrating an empty database brings it to the newest version, and again does nothing") {
    const auto home = make_home();
    const auto database = home->open();
    const auto newest = static_cast<std::int64_t>(migrations().size());
    const auto report = migrate(*database);
    REQUIRE(report);
    CHECK(report->from == 0);
    CHECK(report->to == newest);
    const auto again = migrate(*database);
    REQUIRE(again);
    CHECK(again->from == newest);
    CHECK(again->to == newest);
}

TEST_CASE("two servers may migrate at the same time") {
    const auto home = make_home();
    const auto first_server = home->open();
    const auto second_server = home->open();
    Result<MigrationReport> reports[2];
    {
        const std::jthread one{[&] { reports[0] = migrate(*first_server); }};
        const std::jthread two{[&] { reports[1] = migrate(*second_server); }};
    }
    REQUIRE(reports[0]);
    REQUIRE(reports[1]);
    CHECK(reports[0]->from + reports[1]->from == static_cast<std::int64_t>(migrations().size()));
}

TEST_CASE("a database that is newer than the program is refused with what to do") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(migrate(*database));
    REQUIRE(run(*database, "INSERT INTO store_migration VALUES (99, 'from the future', 'x', 0)"));
    const auto report = migrate(*database);
    REQUIRE_FALSE(report);
    CHECK(report.error().code == Errc::conflict);
    CHECK(report.error().detail.find("schema version 99") != std::string::npos);
    CHECK(report.error().detail.find("start the newer program") != std::string::npos);
}

TEST_CASE("a step that was edited after it was applied is refused and named") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(apply(*database, {first}));
    const auto report = apply(*database, {first_edited});
    REQUIRE_FALSE(report);
    CHECK(report.error().code == Errc::conflict);
    CHECK(report.error().detail.find("step 1 ('thing')") != std::string::npos);
}

TEST_CASE("a step that fails halfway leaves the schema as it was") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(apply(*database, {first}));
    const auto report = apply(*database, {first, second_broken});
    REQUIRE_FALSE(report);
    CHECK(report.error().detail.find("step 2 ('extra')") != std::string::npos);
    CHECK_FALSE(run(*database, "INSERT INTO extra VALUES (1)"));
    CHECK(apply(*database, {first})->to == 1);
}

TEST_CASE("the audit log can be added to, but neither changed nor deleted") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(migrate(*database));
    REQUIRE(
        run(*database, "INSERT INTO audit_log (hive, sequence, time, actor, action, entity_type, "
                       "entity_id, details_hash, hash) VALUES ('main', 1, 0, 'a', 'b', 'c', 'd', "
                       "CAST('x' AS " +
                           std::string{database->engine() == Engine::sqlite ? "BLOB" : "BYTEA"} +
                           "), CAST('y' AS " +
                           std::string{database->engine() == Engine::sqlite ? "BLOB" : "BYTEA"} +
                           "))"));
    REQUIRE(run(*database, "INSERT INTO audit_checkpoint VALUES ('main', 1, 0, 'note')"));
    for (const char* sql :
         {"UPDATE audit_log SET actor = 'z'", "DELETE FROM audit_log",
          "UPDATE audit_checkpoint SET note = 'z'", "DELETE FROM audit_checkpoint"}) {
        const Status status = run(*database, sql);
        REQUIRE_MESSAGE(!status, sql);
        CHECK(status.error().code == Errc::denied);
        CHECK(status.error().detail.find("append-only") != std::string::npos);
    }
}

TEST_CASE("a log from before searches had spans gets what they need for its complete ones") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(write_for(*database, [&](Session& session) {
        return apply_migrations(session, database->engine(), migrations(), 2);
    }));
    REQUIRE(write_and_wait(*database, {.work = [](Session& session) -> Status {
        for (std::int64_t sequence = 1; sequence <= 2100; ++sequence) {
            const auto done = session.execute(
                "INSERT INTO audit_log (hive, sequence, time, actor, action, entity_type, "
                "entity_id, details_hash, hash) VALUES ('main', $1, $2, 'a', 'b', 'c', 'd', $3, "
                "$3)",
                {sequence, 10 * sequence, store::bytes_of("hash")});
            if (!done) return fail(done.error());
        }
        return {};
    }}));
    REQUIRE(migrate(*database));
    std::vector<std::array<std::int64_t, 3>> spans;
    REQUIRE(read_and_wait(*database, {.work = [&](Session& session) -> Status {
        spans.clear();
        return session.query(
            "SELECT place, earliest, latest FROM audit_span WHERE hive = 'main' ORDER BY place", {},
            [&](const Row& row) {
                spans.push_back({row.integer(0), row.integer(1), row.integer(2)});
            });
    }}));
    using Spans = decltype(spans);
    CHECK(spans == Spans{{0, 10, 10240}, {1, 10250, 20480}});
    std::vector<std::string> terms;
    REQUIRE(read_and_wait(*database, {.work = [&](Session& session) -> Status {
        terms.clear();
        return session.query(
            "SELECT kind, term, place FROM audit_term WHERE hive = 'main' "
            "ORDER BY kind, term, place",
            {}, [&](const Row& row) {
                terms.push_back(fmt::format("{} {} {}", row.text(0), row.text(1), row.integer(2)));
            });
    }}));
    const std::vector<std::string> expected{"action b 0", "action b 1",      "actor a 0",
                                            "actor a 1",  "entity_type c 0", "entity_type c 1"};
    CHECK(terms == expected);
    std::int64_t entries = 0;
    REQUIRE(read_and_wait(*database, {.work = [&](Session& session) -> Status {
        return session.query("SELECT COUNT(*) FROM audit_log", {}, [&](const Row& row) {
            entries = row.integer(0);
        });
    }}));
    CHECK(entries == 2100);
    const Status refused = run(*database, "DELETE FROM audit_log");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::denied);
}

TEST_CASE("audit details can only be erased, once") {
    const auto home = make_home();
    const auto database = home->open();
    REQUIRE(migrate(*database));
    REQUIRE(write_and_wait(*database, {.work = [](Session& session) -> Status {
        const auto entry = session.execute(
            "INSERT INTO audit_log (hive, sequence, time, actor, action, entity_type, entity_id, "
            "details_hash, hash) VALUES ('main', 1, 0, 'a', 'b', 'c', 'd', $1, $1)",
            {store::bytes_of("hash")});
        if (!entry) return fail(entry.error());
        const auto details = session.execute(
            "INSERT INTO audit_details (hive, sequence, salt, body) VALUES ('main', 1, $1, $2)",
            {store::bytes_of("salt"), "{}"});
        if (!details) return fail(details.error());
        return {};
    }}));
    const auto code = [&](const std::string& sql) {
        const Status status = run(*database, sql);
        REQUIRE_MESSAGE(!status, sql);
        return status.error().code;
    };
    CHECK(code("UPDATE audit_details SET body = 'forged'") == Errc::denied);
    CHECK(code("DELETE FROM audit_details") == Errc::denied);
    CHECK(code("UPDATE audit_details SET erased = 5") == Errc::invalid); // but keeps the body
    CHECK(
        code("UPDATE audit_details SET erased = 5, body = NULL, salt = NULL, sequence = 2") ==
        Errc::denied);
    CHECK(run(*database, "UPDATE audit_details SET erased = 5, body = NULL, salt = NULL"));
    CHECK(code("UPDATE audit_details SET erased = 6") == Errc::denied);
}
