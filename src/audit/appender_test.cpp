#include "audit/appender.hpp"
#include "audit/proof.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

std::vector<Fact> facts(std::uint64_t count) {
    std::vector<Fact> all;
    for (std::uint64_t i = 1; i <= count; ++i) all.push_back(AuditLog::fact(i));
    return all;
}

Head start() {
    return empty_log(HiveId::parse("main").value());
}

} // namespace

TEST_CASE("entries are numbered from one and each follows from the one before") {
    const auto batch = extend(start(), facts(5), std::vector<Salt>(5));
    REQUIRE(batch);
    REQUIRE(batch->entries.size() == 5);
    Digest previous = genesis_of("main");
    for (std::uint64_t i = 0; i < 5; ++i) {
        const Entry& entry = batch->entries[i];
        CHECK(entry.sequence == i + 1);
        CHECK(entry.hive == "main");
        CHECK(entry.hash == chain_hash(previous, CanonicalBytes{view_of(entry)}));
        previous = entry.hash;
    }
    CHECK(batch->head.size() == 5);
    CHECK(batch->head.chain == previous);
}

TEST_CASE("two batches give the same log as one") {
    const auto all = facts(7);
    const std::vector<Salt> salts(7, Salt{9});
    const auto whole = extend(start(), all, salts);
    REQUIRE(whole);
    const auto first = extend(start(), std::span{all}.first(3), std::span{salts}.first(3));
    REQUIRE(first);
    const auto second = extend(first->head, std::span{all}.subspan(3), std::span{salts}.subspan(3));
    REQUIRE(second);
    CHECK(second->head == whole->head);
    CHECK(second->entries.back() == whole->entries.back());
    CHECK(first->nodes.size() + second->nodes.size() == whole->nodes.size());
}

TEST_CASE("two hives never share a hash") {
    const auto other = empty_log(HiveId::parse("other").value());
    CHECK(other.chain != start().chain);
    const auto a = extend(start(), facts(1), std::vector<Salt>(1));
    const auto b = extend(other, facts(1), std::vector<Salt>(1));
    REQUIRE(a);
    REQUIRE(b);
    CHECK(a->head.chain != b->head.chain);
    CHECK(a->head.tree.root() != b->head.tree.root());
}

TEST_CASE("the subtrees of a batch are those that proofs need") {
    struct Stored final : NodeSource {
        std::vector<TreeNode> nodes;
        Result<Digest> node(unsigned level, std::uint64_t index) const override {
            for (const auto& node : nodes) {
                if (node.level == level && node.index == index) return node.hash;
            }
            return fail(Errc::not_found, "no such subtree");
        }
    };
    const auto batch = extend(start(), facts(11), std::vector<Salt>(11));
    REQUIRE(batch);
    Stored stored;
    stored.nodes = batch->nodes;
    for (std::uint64_t i = 0; i < 11; ++i) {
        const auto proof = prove_inclusion(stored, i, 11);
        REQUIRE(proof);
        const CanonicalBytes bytes{view_of(batch->entries[i])};
        CHECK(verify_inclusion(*proof, leaf_hash(bytes.view()), batch->head.tree.root()));
    }
}

TEST_CASE("no facts leave the log as it is") {
    const auto batch = extend(start(), {}, {});
    REQUIRE(batch);
    CHECK(batch->entries.empty());
    CHECK(batch->head == start());
}

TEST_CASE("a bad fact or a missing salt refuses the whole batch") {
    auto all = facts(3);
    CHECK_FALSE(extend(start(), all, std::vector<Salt>(2)));
    all[2].actor.clear();
    const auto refused = extend(start(), all, std::vector<Salt>(3));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("actor") != std::string::npos);
}

TEST_CASE("a checkpoint says how the log ends") {
    const auto batch = extend(start(), facts(3), std::vector<Salt>(3));
    REQUIRE(batch);
    const Timestamp now{std::chrono::seconds{1}};
    const auto checkpoint = checkpoint_of(batch->head, "hive.example/main", now);
    CHECK(checkpoint.size == 3);
    CHECK(checkpoint.root == batch->head.tree.root());
    CHECK(checkpoint.chain == batch->head.chain);
    CHECK(checkpoint.time == now);
}
