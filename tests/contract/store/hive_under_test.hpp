#pragma once

#include "audit/ledger_verifier.hpp"
#include "kernel/entropy.hpp"
#include "store/audit_ledger.hpp"
#include "store/chronicle.hpp"
#include "tests/contract/store/home.hpp"

#include <string>
#include <vector>

namespace hive::tests {

// A migrated database with the hive `main`, its chronicle and a key that signs its checkpoints.
class HiveUnderTest {
public:
    static constexpr std::string_view origin = "hive.example/main";

    HiveUnderTest();

    store::Database& db() { return *database_; }
    Home& home() { return *home_; }
    const HiveId& hive() const { return hive_; }
    store::Chronicle chronicle() { return chronicle_on(db()); }
    store::Chronicle chronicle_on(store::Database& database) const {
        return {database, hive_, &fill_from_entropy};
    }

    Status change(store::RecordedWork work);
    void record(std::uint64_t first, std::size_t count); // so many entries, in one unit
    Result<std::optional<audit::SignedCheckpoint>> checkpoint();
    Status run(const std::string& sql); // a statement that nobody of ours would send

    // What `ask` says of the ledger, in a unit of its own.
    template <class F>
    auto ask(F ask) {
        return store::read_for(
            db(), [&](store::Session& session) { return ask(store::AuditLedger{session, hive_}); });
    }
    template <class F>
    Status tell(F tell) {
        return store::write_and_wait(db(), {.work = [&](store::Session& session) -> Status {
                                         store::AuditLedger ledger{session, hive_};
                                         return tell(ledger);
                                     }});
    }

    audit::Head head();
    std::vector<audit::Entry> entries();
    audit::Report verified() { return verified_on(db()); }
    audit::Report verified_on(store::Database& database) const;
    std::vector<audit::TrustedKey> keys() const;

    SigningKey key = SigningKey::from_seed({42});
    Timestamp now{std::chrono::seconds{1'750'000'000}};

private:
    HiveId hive_ = HiveId::parse("main").value();
    std::unique_ptr<Home> home_;
    std::unique_ptr<store::Database> database_;
};

// Runs a recorded unit and waits for it.
Status change_and_wait(store::Chronicle chronicle, store::RecordedWork work);

} // namespace hive::tests
