#include "tests/contract/store/hive_under_test.hpp"

#include "store/migration.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

namespace hive::tests {

using namespace hive::store;

HiveUnderTest::HiveUnderTest() : home_{make_home()}, database_{home_->open()} {
    REQUIRE(migrate(*database_));
}

Status change_and_wait(Chronicle chronicle, RecordedWork work) {
    Outcomes outcomes;
    if (auto taken = chronicle.change({std::move(work)}, outcomes.expect()); !taken) return taken;
    return outcomes.wait().front();
}

Status HiveUnderTest::change(RecordedWork work) {
    return change_and_wait(chronicle(), std::move(work));
}

void HiveUnderTest::record(std::uint64_t first, std::size_t count) {
    const Status recorded = change([&](Session&, Facts& facts) -> Status {
        for (std::uint64_t i = first; i < first + count; ++i) facts.push_back(AuditLog::fact(i));
        return {};
    });
    REQUIRE_MESSAGE(recorded, (recorded ? "" : recorded.error().detail));
}

Result<std::optional<audit::SignedCheckpoint>> HiveUnderTest::checkpoint() {
    Result<std::optional<audit::SignedCheckpoint>> made;
    Outcomes outcomes;
    Done told = outcomes.expect();
    const Status taken = chronicle().checkpoint(
        {.origin = std::string{origin},
         .now = now,
         .sign = [&](const audit::Checkpoint& promise) { return audit::sign(promise, key); }},
        [&](Result<std::optional<audit::SignedCheckpoint>> result) {
            made = std::move(result);
            told({});
        });
    REQUIRE(taken);
    outcomes.wait();
    return made;
}

Status HiveUnderTest::run(const std::string& sql) {
    return write_and_wait(db(), {.work = [&](Session& session) -> Status {
                              auto done = session.execute(sql, {});
                              if (!done) return fail(done.error());
                              return {};
                          }});
}

audit::Head HiveUnderTest::head() {
    const auto found = ask([](const AuditLedger& ledger) { return ledger.head(); });
    REQUIRE_MESSAGE(found, (found ? "" : found.error().detail));
    return *found;
}

std::vector<audit::Entry> HiveUnderTest::entries() {
    std::vector<audit::Entry> all;
    for (;;) {
        const auto page = ask([&](const AuditLedger& ledger) {
            return ledger.read(all.size() + 1, audit::page_max);
        });
        REQUIRE(page);
        if (page->empty()) return all;
        all.insert(all.end(), page->begin(), page->end());
    }
}

audit::Report HiveUnderTest::verified_on(Database& database) const {
    const auto report = read_for(database, [&](Session& session) {
        return audit::verify_ledger(AuditLedger{session, hive_}, keys());
    });
    REQUIRE_MESSAGE(report, (report ? "" : report.error().detail));
    return *report;
}

std::vector<audit::TrustedKey> HiveUnderTest::keys() const {
    return {audit::TrustedKey::make(origin, key.verifying_key()).value()};
}

} // namespace hive::tests
