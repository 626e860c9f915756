#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;

namespace {

// The tree of the log in memory, from its entries.
audit::MerkleTree tree_of(const std::vector<audit::Entry>& entries) {
    audit::MerkleTree tree;
    for (const auto& entry : entries) {
        tree.append(audit::leaf_hash(audit::CanonicalBytes{view_of(entry)}.view()));
    }
    return tree;
}

} // namespace

TEST_CASE("proofs from the stored tree verify at every size around the levels that are kept") {
    HiveUnderTest test;
    constexpr std::uint64_t kept = 1U << kept_level;
    test.record(1, 1);
    test.record(2, kept - 2); // complete but for one
    test.record(kept, 3 * kept + 7);
    const auto entries = test.entries();
    const audit::MerkleTree tree = tree_of(entries);
    CHECK(test.head().tree.root() == tree.root());
    const std::vector<std::uint64_t> sizes{1,
                                           2,
                                           kept - 1,
                                           kept,
                                           kept + 1,
                                           2 * kept,
                                           2 * kept + 1,
                                           4 * kept - 1,
                                           4 * kept,
                                           entries.size()};
    REQUIRE(read_and_wait(
        test.db(), {.work = [&](Session& session) -> Status {
            const AuditLedger ledger{session, test.hive()};
            for (const auto size : sizes) {
                const Digest root = root_at(tree, size).value();
                CHECK(root_at(ledger, size).value() == root);
                for (const std::uint64_t index : {std::uint64_t{0}, size / 2, size - 1}) {
                    const auto proof = prove_inclusion(ledger, index, size);
                    REQUIRE(proof);
                    CHECK(verify_inclusion(*proof, tree.node(0, index).value(), root));
                }
                for (const auto old : sizes) {
                    if (old > size) break;
                    const auto proof = prove_consistency(ledger, old, size);
                    REQUIRE(proof);
                    CHECK(verify_consistency(*proof, root_at(tree, old).value(), root));
                }
            }
            return {};
        }}));
}

TEST_CASE("subtrees that are not complete, or beyond every log, are not found") {
    HiveUnderTest test;
    test.record(1, 70);
    const auto code = [&](unsigned level, std::uint64_t index) {
        const auto node =
            test.ask([&](const AuditLedger& ledger) { return ledger.node(level, index); });
        REQUIRE_FALSE(node);
        return node.error().code;
    };
    CHECK(code(0, 70) == Errc::not_found);
    CHECK(code(2, 17) == Errc::not_found);
    CHECK(code(6, 1) == Errc::not_found);
    CHECK(code(7, 0) == Errc::not_found);
    CHECK(code(0, UINT64_MAX) == Errc::not_found);
    CHECK(code(5, UINT64_MAX) == Errc::not_found);
    CHECK(code(64, 0) == Errc::not_found);
    CHECK(code(1000, UINT64_MAX) == Errc::not_found);
}

TEST_CASE("the database itself refuses to change or delete what was recorded") {
    HiveUnderTest test;
    test.record(1, 1U << span_level);
    REQUIRE(test.checkpoint());
    std::vector<std::string> statements{
        "UPDATE audit_log SET actor = 'z' WHERE sequence = 1",
        "DELETE FROM audit_log WHERE sequence = 1024",
        "UPDATE audit_details SET body = '{}' WHERE sequence = 1",
        "DELETE FROM audit_details",
        "UPDATE audit_node SET hash = hash",
        "DELETE FROM audit_node",
        "UPDATE audit_span SET latest = 0",
        "DELETE FROM audit_span",
        "UPDATE audit_term SET term = 'z'",
        "DELETE FROM audit_term",
        "UPDATE audit_checkpoint SET note = ''",
        "DELETE FROM audit_checkpoint"};
    if (test.db().engine() == Engine::postgres) { // SQLite has no TRUNCATE
        for (const char* table :
             {"audit_log", "audit_details", "audit_node", "audit_span", "audit_term",
              "audit_checkpoint"}) {
            statements.push_back(std::string{"TRUNCATE "} + table + " CASCADE");
        }
    }
    for (const auto& sql : statements) {
        const Status refused = test.run(sql);
        REQUIRE_MESSAGE(!refused, sql);
        CHECK_MESSAGE(refused.error().code == Errc::denied, refused.error().detail);
    }
    CHECK(test.verified().good());
}

TEST_CASE("what gets past the database is found by verifying") {
    const auto fault = [](const std::vector<std::string>& statements) {
        HiveUnderTest test;
        test.record(1, 10);
        REQUIRE(test.checkpoint());
        for (const auto& sql : statements) {
            const Status done = test.run(sql);
            REQUIRE_MESSAGE(done, (done ? "" : done.error().detail));
        }
        const auto report = test.verified();
        REQUIRE_FALSE(report.good());
        return std::pair{report.fault->kind, report.fault->sequence};
    };
    const bool on_sqlite = make_home()->open()->engine() == Engine::sqlite;
    const auto off = [&](const std::string& table, const std::string& what) {
        return "DROP TRIGGER " + table + "_no_" + what + (on_sqlite ? "" : " ON " + table);
    };
    using enum audit::FaultKind;
    using Found = std::pair<audit::FaultKind, std::uint64_t>;
    CHECK(
        fault(
            {off("audit_log", "update"), "UPDATE audit_log SET actor = 'z' WHERE sequence = 3"}) ==
        Found{altered, 3});
    CHECK(
        fault(
            {off("audit_log", "update"),
             "UPDATE audit_log SET hash = details_hash WHERE sequence = 3"}) == Found{altered, 3});
    CHECK(
        fault(
            {off("audit_log", "update"), "UPDATE audit_log SET actor = '" + std::string(300, 'z') +
                                             "' WHERE sequence = 3"}) == Found{malformed, 3});
    CHECK(
        fault(
            {off("audit_details", "update"),
             "UPDATE audit_details SET body = '{\"x\":1}' WHERE sequence = 5"}) ==
        Found{details, 5});
    CHECK(
        fault(
            {off("audit_log", "delete"), off("audit_details", "delete"),
             "DELETE FROM audit_details WHERE sequence = 6",
             "DELETE FROM audit_log WHERE sequence = 6"}) == Found{missing, 6});
    CHECK(
        fault(
            {off("audit_log", "delete"), off("audit_details", "delete"),
             "DELETE FROM audit_details WHERE sequence > 8",
             "DELETE FROM audit_log WHERE sequence > 8"}) == Found{truncated, 9});
    CHECK(
        fault({off("audit_checkpoint", "update"), "UPDATE audit_checkpoint SET note = 'mine'"})
            .first == malformed);
    CHECK(fault({"UPDATE audit_head SET chain = peaks"}).first == altered);
}
