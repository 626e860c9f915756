#include "store/chronicle.hpp"

#include "store/audit_ledger.hpp"

#include <fmt/format.h>

#include <memory>

namespace hive::store {
namespace {

Status check_all(const Facts& facts) {
    for (const auto& fact : facts) {
        if (auto ok = audit::check(fact); !ok) return ok;
    }
    return {};
}

// The checkpoint that is due, if any.
Result<std::optional<audit::Checkpoint>>
due_checkpoint(const AuditLedger& ledger, std::string origin, Timestamp now) {
    const auto head = ledger.head();
    if (!head) return fail(head.error());
    const auto latest = ledger.latest_checkpoint();
    if (!latest) return fail(latest.error());
    const audit::Checkpoint promise = audit::checkpoint_of(*head, std::move(origin), now);
    const std::uint64_t covered = *latest ? (*latest)->checkpoint.size : 0;
    if (promise.size > covered) return promise;
    // To sign now would vouch for a log that broke the last promise.
    if (promise.size < covered || (*latest && (*latest)->checkpoint.chain != promise.chain)) {
        return fail(
            Errc::conflict, fmt::format(
                                "the audit log of {} entries is not the one that the checkpoint "
                                "of {} entries promises; verify it",
                                promise.size, covered));
    }
    return std::nullopt;
}

} // namespace

Status Chronicle::change(RecordedUnit unit, Done done) {
    // Shared: the store appends what the work wrote into it.
    const auto recording = std::make_shared<Recording>(Recording{hive_, entropy_});
    Work work = [work = std::move(unit.work), recording](Session& session) -> Status {
        recording->facts.clear();
        if (auto ok = work(session, recording->facts); !ok) return ok;
        return check_all(recording->facts); // here: a bad fact fails its own unit alone
    };
    return database_->write(
        {.work = std::move(work), .within = unit.within, .recording = recording}, std::move(done));
}

Status Chronicle::checkpoint(Signing signing, Signed done) {
    // Shared: written by the unit, read by its completion, and nobody knows which of the two goes
    // last when the store refuses it.
    const auto made = std::make_shared<std::optional<audit::SignedCheckpoint>>();
    Work work = [made, hive = hive_, signing = std::move(signing)](Session& session) -> Status {
        made->reset();
        AuditLedger ledger{session, hive};
        const auto due = due_checkpoint(ledger, signing.origin, signing.now);
        if (!due) return fail(due.error());
        if (!*due) return {};
        auto signed_one = signing.sign(**due);
        if (!signed_one) return fail(signed_one.error());
        *made = std::move(*signed_one);
        if (auto ok = ledger.save_checkpoint(**made); !ok) return ok;
        return signing.also ? signing.also(session, **made) : Status{};
    };
    return database_->write(
        {.work = std::move(work)}, [made, done = std::move(done)](const Status& status) {
            if (status) {
                done(std::move(*made));
            } else {
                done(fail(status.error()));
            }
        });
}

} // namespace hive::store
