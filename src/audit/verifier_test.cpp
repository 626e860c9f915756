#include "audit/verifier.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

Verifier verifier_of(const AuditLog& log) {
    return Verifier{HiveId::parse("main").value(), log.keys()};
}

void add_all(Verifier& verifier, const AuditLog& log) {
    for (const Entry& entry : log.ledger.entries) verifier.add(view_of(entry));
}

// A log of the same entries in which one was replaced before all hashes were made.
AuditLog rewritten(std::uint64_t size, std::uint64_t changed) {
    AuditLog log;
    for (std::uint64_t i = 1; i <= size; ++i) {
        Fact fact = AuditLog::fact(i);
        if (i == changed) fact.actor = "human:mallory";
        log.add(fact);
    }
    return log;
}

} // namespace

TEST_CASE("an untouched log is good and the report counts it") {
    AuditLog log{12, 4};
    REQUIRE(log.ledger.erase_details(5));
    Verifier verifier = verifier_of(log);
    for (const auto& [size, saved] : log.ledger.checkpoints) CHECK(verifier.expect(saved.note));
    add_all(verifier, log);
    const Report report = verifier.finish();
    CHECK(report.good());
    CHECK(report.entries == 12);
    CHECK(report.erased == 1);
    CHECK(report.checkpoints == 3);
    CHECK(report.covered == 12);
    CHECK(report.chain == log.ledger.stored_head.chain);
    CHECK(report.root == log.ledger.stored_head.tree.root());
}

TEST_CASE("a log rewritten with fresh hashes does not fit its checkpoints") {
    const AuditLog honest{12, 4};
    const AuditLog forged = rewritten(12, 6);
    Verifier verifier = verifier_of(honest);
    for (const auto& [size, saved] : honest.ledger.checkpoints) verifier.expect(saved.note);
    add_all(verifier, forged);
    const Report report = verifier.finish();
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::rewritten);
    CHECK(report.fault->sequence == 5); // the first that the last good checkpoint does not cover
    CHECK(report.fault->reason.find("entries 5 to 8") != std::string::npos);
    CHECK(report.entries == 4);
    CHECK(report.covered == 4);
}

TEST_CASE("a log that is shorter than a checkpoint says is truncated") {
    AuditLog log{12, 12};
    Verifier verifier = verifier_of(log);
    REQUIRE(verifier.expect(log.checkpoint().note));
    log.ledger.entries.resize(9);
    add_all(verifier, log);
    const Report report = verifier.finish();
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::truncated);
    CHECK(report.fault->sequence == 10);
}

TEST_CASE("a checkpoint that someone else signed is refused") {
    const AuditLog log{4, 4};
    AuditLog impostor{4, 4};
    impostor.key = SigningKey::from_seed({66});
    Verifier verifier = verifier_of(log);
    CHECK_FALSE(verifier.expect(impostor.checkpoint().note));
    CHECK(verifier.finish().fault->kind == FaultKind::signature);
}

TEST_CASE("a checkpoint of another log under the same key is refused") {
    const AuditLog log{4, 4};
    const auto other =
        sign(checkpoint_of(log.ledger.stored_head, "hive.example/other", Timestamp{}), log.key);
    REQUIRE(other);
    auto keys = log.keys();
    keys.push_back(TrustedKey::make("hive.example/other", log.key.verifying_key()).value());
    Verifier verifier{HiveId::parse("main").value(), keys};
    REQUIRE(verifier.expect(log.checkpoint().note));
    CHECK_FALSE(verifier.expect(other->note));
    CHECK(verifier.finish().fault->kind == FaultKind::foreign);
}

TEST_CASE("a checkpoint in the wrong place is refused") {
    const AuditLog log{8, 4};
    Verifier late = verifier_of(log);
    add_all(late, log);
    CHECK_FALSE(late.expect(log.ledger.checkpoints.at(4).note));
    Verifier early = verifier_of(log);
    CHECK_FALSE(early.expect_here(log.ledger.checkpoints.at(4).note));
    CHECK(early.finish().fault->kind == FaultKind::missing);
}

TEST_CASE("entries of another hive are refused") {
    const AuditLog log{2, 2};
    Verifier verifier{HiveId::parse("other").value(), log.keys()};
    CHECK_FALSE(verifier.add(view_of(log.ledger.entries[0])));
    CHECK(verifier.finish().fault->kind == FaultKind::foreign);
}

TEST_CASE("after the first fault nothing more is judged") {
    AuditLog log{4, 4};
    log.ledger.entries[1].actor = "human:mallory";
    log.ledger.entries[2].actor = "human:mallory";
    Verifier verifier = verifier_of(log);
    add_all(verifier, log);
    CHECK_FALSE(verifier.expect("nonsense"));
    const Report report = verifier.finish();
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->sequence == 2);
    CHECK(report.fault->kind == FaultKind::altered);
}

TEST_CASE("checkpoints of an old key count as long as that key is trusted") {
    AuditLog log{4, 4};
    const auto keys_before = log.keys();
    log.key = SigningKey::from_seed({43});
    for (std::uint64_t i = 5; i <= 8; ++i) log.add(AuditLog::fact(i));
    log.save_checkpoint();
    auto keys = keys_before;
    keys.push_back(log.keys().front());
    Verifier verifier{HiveId::parse("main").value(), keys};
    for (const auto& [size, saved] : log.ledger.checkpoints) CHECK(verifier.expect(saved.note));
    add_all(verifier, log);
    CHECK(verifier.finish().good());
}
