#include "audit/ledger_verifier.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

Report verified(const AuditLog& log, const std::vector<std::string>& pins = {}) {
    const auto report = verify_ledger(log.ledger, log.keys(), pins);
    REQUIRE(report);
    return *report;
}

void check_fault(const AuditLog& log, FaultKind kind, std::uint64_t sequence) {
    const Report report = verified(log);
    REQUIRE_FALSE(report.good());
    CHECK_MESSAGE(report.fault->kind == kind, report.fault->reason);
    CHECK_MESSAGE(report.fault->sequence == sequence, report.fault->reason);
}

} // namespace

TEST_CASE("a stored log of many pages and checkpoints is good") {
    const AuditLog log{2 * page_max + 5, 3};
    const Report report = verified(log);
    CHECK(report.good());
    CHECK(report.entries == 2 * page_max + 5);
    CHECK(report.checkpoints == (2 * page_max + 5) / 3);
    CHECK(report.covered == 2004);
}

TEST_CASE("an empty log is good") {
    CHECK(verified(AuditLog{}).good());
}

TEST_CASE("erased details leave the log good") {
    AuditLog log{12, 4};
    REQUIRE(log.ledger.erase_details(3));
    REQUIRE(log.ledger.erase_details(12));
    const Report report = verified(log);
    CHECK(report.good());
    CHECK(report.erased == 2);
}

TEST_CASE("every kind of tampering with stored rows is found where it happened") {
    for (std::size_t i = 0; i < 12; ++i) {
        AuditLog edited{12, 4};
        edited.ledger.entries[i].entity_id += "x";
        check_fault(edited, FaultKind::altered, i + 1);

        AuditLog details{12, 4};
        details.ledger.entries[i].disclosure->details = R"({"nothing":"happened"})";
        check_fault(details, FaultKind::details, i + 1);

        AuditLog deleted{12, 4};
        deleted.ledger.entries.erase(deleted.ledger.entries.begin() + static_cast<long>(i));
        check_fault(deleted, i == 11 ? FaultKind::truncated : FaultKind::missing, i + 1);
    }
}

TEST_CASE("a row edited to a length that no entry has is a fault like others") {
    AuditLog log{12, 4};
    log.ledger.entries[4].request_id.assign(field_bytes_max + 1, 'x');
    check_fault(log, FaultKind::malformed, 5);
}

TEST_CASE("two swapped rows are found at the first") {
    for (std::size_t i = 0; i + 1 < 12; ++i) {
        AuditLog log{12, 4};
        std::swap(log.ledger.entries[i], log.ledger.entries[i + 1]);
        std::swap(log.ledger.entries[i].sequence, log.ledger.entries[i + 1].sequence);
        check_fault(log, FaultKind::altered, i + 1);
    }
}

TEST_CASE("a log cut short is found by its checkpoints and by its head") {
    AuditLog log{12, 4};
    log.ledger.entries.resize(10);
    check_fault(log, FaultKind::truncated, 11);
    log.ledger.checkpoints.erase(12);
    check_fault(log, FaultKind::truncated, 11);
}

TEST_CASE("a log cut short with its checkpoints and head is found by a checkpoint kept elsewhere") {
    const AuditLog full{12, 4};
    const AuditLog cut{8, 4};
    CHECK(verified(cut).good());
    const Report report = verified(cut, {full.checkpoint().note});
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::truncated);
    CHECK(report.fault->sequence == 9);
}

TEST_CASE("a head that does not fit the entries is found") {
    AuditLog log{12, 4};
    log.ledger.stored_head.chain[0] ^= 1U;
    check_fault(log, FaultKind::altered, 13);
}

TEST_CASE("a checkpoint replaced by one of another size is found") {
    AuditLog log{12, 4};
    log.ledger.checkpoints.at(8).note = log.ledger.checkpoints.at(4).note;
    CHECK(verified(log).good()); // two promises of four entries: both are kept
    log.ledger.checkpoints.at(8).note[0] = 'x';
    CHECK(verified(log).fault->kind == FaultKind::signature);
}
