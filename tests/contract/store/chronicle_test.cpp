#include "store/backup.hpp"
#include "store/settings.hpp"
#include "tests/contract/store/hive_under_test.hpp"
#include "tests/support/audit_log.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

namespace {

Status put(Session& session, const HiveId& hive, std::string name) {
    return put_setting(session, hive, {std::move(name), "x"}, Timestamp{});
}

std::int64_t settings_in(Database& database) {
    const auto count = read_for(database, [](Session& session) -> Result<std::int64_t> {
        std::int64_t rows = 0;
        const auto read = session.query(
            "SELECT count(*) FROM settings", {}, [&](const Row& row) { rows = row.integer(0); });
        if (!read) return fail(read.error());
        return rows;
    });
    REQUIRE(count);
    return *count;
}

} // namespace

TEST_CASE("a change and its entries are committed together") {
    HiveUnderTest test;
    REQUIRE(test.change([&](Session& session, Facts& facts) -> Status {
        facts = {AuditLog::fact(1), AuditLog::fact(2)};
        return put(session, test.hive(), "one");
    }));
    CHECK(settings_in(test.db()) == 1);
    const auto entries = test.entries();
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].entity_id == AuditLog::fact(1).entity_id);
    CHECK(entries[1].disclosure->details == AuditLog::fact(2).details.text());
    CHECK(entries[0].disclosure->salt != entries[1].disclosure->salt);
    CHECK(test.verified().good());
}

TEST_CASE("a change that fails leaves neither change nor entry") {
    HiveUnderTest test;
    test.record(1, 3);
    const auto before = test.head();
    const Status refused = test.change([&](Session& session, Facts& facts) -> Status {
        facts = {AuditLog::fact(4)};
        if (auto ok = put(session, test.hive(), "one"); !ok) return ok;
        return fail(Errc::conflict, "changed my mind");
    });
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail == "changed my mind");
    CHECK_FALSE(test.change([&](Session& session, Facts& facts) -> Status {
        facts = {AuditLog::fact(4)};
        static_cast<void>(session.execute("INSERT INTO nowhere VALUES (1)", {}));
        return put(session, test.hive(), "two");
    }));
    CHECK_FALSE(test.change([&](Session&, Facts& facts) -> Status {
        facts = {AuditLog::fact(4)};
        throw std::runtime_error("broke off");
    }));
    CHECK(settings_in(test.db()) == 0);
    CHECK(test.head() == before);
    CHECK(test.verified().good());
}

TEST_CASE("a fact that cannot be recorded undoes the change it belongs to") {
    HiveUnderTest test;
    const Status refused = test.change([&](Session& session, Facts& facts) -> Status {
        facts = {AuditLog::fact(1), AuditLog::fact(2)};
        facts[1].actor.clear();
        return put(session, test.hive(), "one");
    });
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::invalid);
    CHECK(refused.error().detail.find("actor") != std::string::npos);
    CHECK(settings_in(test.db()) == 0);
    CHECK(test.head().size() == 0);
}

TEST_CASE("a change without facts is a plain write") {
    HiveUnderTest test;
    REQUIRE(
        test.change([&](Session& session, Facts&) { return put(session, test.hive(), "one"); }));
    CHECK(settings_in(test.db()) == 1);
    CHECK(test.head().size() == 0);
}

TEST_CASE("a failing unit takes neither entries nor changes of its neighbours with it") {
    HiveUnderTest test;
    const auto unit = [&](int number) {
        return RecordedUnit{[&test, number](Session& session, Facts& facts) -> Status {
            facts = {AuditLog::fact(static_cast<std::uint64_t>(number))};
            if (number % 3 == 1) facts.front().action.clear();
            if (auto ok = put(session, test.hive(), std::to_string(number)); !ok) return ok;
            if (number % 3 == 2) return fail(Errc::conflict, "not me");
            return {};
        }};
    };
    Outcomes outcomes;
    {
        Gate gate{test.db()}; // all of them in one commit
        for (int i = 0; i < 30; ++i) {
            REQUIRE(test.chronicle().change(unit(i), outcomes.expect()));
        }
    }
    const auto found = outcomes.wait();
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].has_value() == (i % 3 == 0));
    const auto entries = test.entries();
    REQUIRE(entries.size() == 10);
    for (std::size_t i = 0; i < entries.size(); ++i) { // in the order of the calls
        CHECK(entries[i].request_id == AuditLog::fact(i * 3).request_id);
    }
    CHECK(settings_in(test.db()) == 10);
    CHECK(test.verified().good());
}

TEST_CASE("units of several hives in one commit each extend their own log") {
    HiveUnderTest test;
    std::vector<HiveId> hives;
    for (const char* name : {"main", "north", "south"}) {
        hives.push_back(HiveId::parse(name).value());
    }
    Outcomes outcomes;
    {
        Gate gate{test.db()};
        for (std::uint64_t i = 0; i < 30; ++i) {
            Chronicle chronicle{test.db(), hives[i % 3], &fill_from_entropy};
            REQUIRE(chronicle.change(
                {[i](Session&, Facts& facts) -> Status {
                    facts = {AuditLog::fact(i)};
                    return {};
                }},
                outcomes.expect()));
        }
    }
    for (const auto& outcome : outcomes.wait()) CHECK(outcome);
    for (const auto& hive : hives) {
        const auto report = read_for(test.db(), [&](Session& session) {
            return audit::verify_ledger(AuditLedger{session, hive}, {});
        });
        REQUIRE(report);
        CHECK(report->good());
        CHECK(report->entries == 10);
    }
}

TEST_CASE("when the log cannot be extended, no change of the group is kept") {
    HiveUnderTest test;
    test.record(1, 2);
    REQUIRE(test.run("UPDATE audit_head SET size = 1")); // someone meddled: entry 2 is there
    Outcomes outcomes;
    {
        Gate gate{test.db()};
        for (int i = 0; i < 4; ++i) {
            REQUIRE(test.chronicle().change(
                {[&test, i](Session& session, Facts& facts) -> Status {
                    if (i > 0) facts = {AuditLog::fact(3)};
                    return put(session, test.hive(), std::to_string(i));
                }},
                outcomes.expect()));
        }
    }
    const auto found = outcomes.wait();
    CHECK(found[0]); // recorded nothing
    for (std::size_t i = 1; i < found.size(); ++i) CHECK_FALSE(found[i]);
    CHECK(settings_in(test.db()) == 1);
}

TEST_CASE("an entry recorded inside a unit and those of its group form one chain") {
    HiveUnderTest test;
    Outcomes outcomes;
    {
        Gate gate{test.db()};
        for (std::uint64_t i = 0; i < 10; ++i) {
            REQUIRE(test.chronicle().change(
                {[&test, i](Session& session, Facts& facts) -> Status {
                    facts = {AuditLog::fact(i)};
                    if (i % 2 == 0) return {};
                    return record(
                        session, test.hive(), Facts{AuditLog::fact(i)}, &fill_from_entropy);
                }},
                outcomes.expect()));
        }
    }
    for (const auto& outcome : outcomes.wait()) CHECK(outcome);
    const auto report = test.verified();
    CHECK(report.good());
    CHECK(report.entries == 15);
}

TEST_CASE("random changes from several threads leave one good chain with every entry") {
    HiveUnderTest test;
    constexpr std::uint64_t threads = 4;
    constexpr std::uint64_t each = 60;
    std::atomic<std::uint64_t> recorded{0};
    std::atomic<std::int64_t> kept{0};
    {
        std::vector<std::jthread> workers;
        for (std::uint64_t thread = 0; thread < threads; ++thread) {
            workers.emplace_back([&, thread] {
                Random random{thread + 1};
                for (std::uint64_t i = 0; i < each; ++i) {
                    const std::uint64_t number = thread * each + i;
                    const std::uint64_t count = random.below(4);
                    const bool succeeds = random.below(4) != 0;
                    const Status done = test.change([&](Session& session, Facts& facts) -> Status {
                        for (std::uint64_t fact = 0; fact < count; ++fact) {
                            facts.push_back(AuditLog::fact(number));
                        }
                        auto ok = put(session, test.hive(), std::to_string(number));
                        if (ok && !succeeds) return fail(Errc::conflict, "on purpose");
                        return ok;
                    });
                    CHECK(done.has_value() == succeeds);
                    if (done) recorded += count;
                    if (done) ++kept;
                    if (random.below(20) == 0) CHECK(test.checkpoint());
                }
            });
        }
    }
    const auto report = test.verified();
    CHECK_MESSAGE(report.good(), (report.fault ? report.fault->reason : ""));
    CHECK(report.entries == recorded);
    CHECK(settings_in(test.db()) == kept);
}

TEST_CASE("two servers on one database extend one valid chain") {
    HiveUnderTest test;
    const auto other = test.home().open();
    constexpr std::uint64_t each = 150;
    Outcomes outcomes;
    const auto serve = [&](Database& database, const std::string& name) {
        Chronicle chronicle = test.chronicle_on(database);
        for (std::uint64_t i = 0; i < each; ++i) {
            CHECK(chronicle.change(
                {[&test, i, name](Session& session, Facts& facts) -> Status {
                    facts = {AuditLog::fact(i)};
                    return put(session, test.hive(), fmt::format("{}-{}", name, i));
                }},
                outcomes.expect()));
        }
    };
    {
        const std::jthread one{[&] { serve(test.db(), "one"); }};
        const std::jthread two{[&] { serve(*other, "two"); }};
    }
    for (const auto& outcome : outcomes.wait()) {
        CHECK_MESSAGE(outcome, (outcome ? "" : outcome.error().detail));
    }
    CHECK(settings_in(test.db()) == 2 * each);
    for (Database* database : {&test.db(), other.get()}) {
        const auto report = test.verified_on(*database);
        CHECK(report.good());
        CHECK(report.entries == 2 * each);
    }
}

TEST_CASE("a checkpoint covers what was done, and none is made when there is nothing new") {
    HiveUnderTest test;
    CHECK_FALSE(test.checkpoint().value()); // an empty log promises nothing
    test.record(1, 3);
    const auto made = test.checkpoint().value();
    REQUIRE(made);
    CHECK(
        made->checkpoint == audit::checkpoint_of(test.head(), std::string{test.origin}, test.now));
    CHECK_FALSE(test.checkpoint().value());
    test.record(4, 1);
    CHECK(test.checkpoint().value()->checkpoint.size == 4);
    const auto report = test.verified();
    CHECK(report.good());
    CHECK(report.covered == 4);
}

TEST_CASE("a signer that fails leaves no checkpoint") {
    HiveUnderTest test;
    test.record(1, 3);
    Result<std::optional<audit::SignedCheckpoint>> result;
    Outcomes outcomes;
    const Done told = outcomes.expect();
    REQUIRE(test.chronicle().checkpoint(
        {.origin = std::string{test.origin},
         .now = test.now,
         .sign = [](const audit::Checkpoint&) -> Result<audit::SignedCheckpoint> {
             return fail(Errc::denied, "the key is locked");
         }},
        [&](Result<std::optional<audit::SignedCheckpoint>> made) {
            result = std::move(made);
            told({});
        }));
    outcomes.wait();
    REQUIRE_FALSE(result);
    CHECK(result.error().detail == "the key is locked");
    CHECK(test.checkpoint().value()); // it is still due
}

TEST_CASE("a log that broke its last promise is not signed again") {
    for (const char* meddling :
         {"UPDATE audit_head SET size = 2, peaks = chain", "UPDATE audit_head SET chain = peaks"}) {
        HiveUnderTest test;
        test.record(1, 4);
        REQUIRE(test.checkpoint());
        REQUIRE(test.run(meddling));
        const auto refused = test.checkpoint();
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::conflict);
        CHECK(refused.error().detail.find("verify it") != std::string::npos);
    }
}

TEST_CASE("a backup carries the log with its tree, and it goes on where it was") {
    HiveUnderTest test;
    test.record(1, 200);
    REQUIRE(test.checkpoint());
    REQUIRE(test.tell([](AuditLedger& ledger) { return ledger.erase_details(7); }));
    const ScratchDirectory scratch;
    REQUIRE(back_up(test.db(), scratch.path() / "backup"));

    const auto other_home = make_home();
    const auto other = other_home->open();
    REQUIRE(restore(*other, scratch.path() / "backup", Overwrite::never));
    const auto report = test.verified_on(*other);
    CHECK(report.good());
    CHECK(report.entries == 200);
    CHECK(report.erased == 1);
    CHECK(report.covered == 200);
    const auto root = [&](Database& database) {
        return read_for(database, [&](Session& session) {
            return root_at(AuditLedger{session, test.hive()}, 200);
        });
    };
    CHECK(root(*other) == root(test.db()));
    REQUIRE(change_and_wait(test.chronicle_on(*other), [](Session&, Facts& facts) -> Status {
        facts = {AuditLog::fact(201)};
        return {};
    }));
    CHECK(test.verified_on(*other).entries == 201);
}
