#include "audit/ledger.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

// The sequences that a query finds, page by page.
std::vector<std::uint64_t> found(const Ledger& ledger, Query query) {
    std::vector<std::uint64_t> sequences;
    for (;;) {
        const auto page = ledger.search(query);
        REQUIRE(page);
        REQUIRE(page->entries.size() <= query.limit);
        for (const auto& entry : page->entries) sequences.push_back(entry.sequence);
        if (!page->next) return sequences;
        query.before = page->next;
    }
}

using Sequences = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("a search finds entries by actor, action and entity, newest first") {
    const AuditLog log{12, 4};
    CHECK(found(log.ledger, {.actor = "bee:BOT-001"}) == Sequences{10, 7, 4, 1});
    CHECK(
        found(log.ledger, {.actor = "bee:BOT-001", .action = "task.claimed"}) == Sequences{10, 4});
    CHECK(found(log.ledger, {.entity_type = "task", .entity_id = "TASK-3"}) == Sequences{7, 6});
    CHECK(found(log.ledger, {.entity_type = "bee"}).empty());
}

TEST_CASE("a search by time takes the first moment and leaves the last") {
    const AuditLog log{12, 4};
    const auto time = [&](std::size_t sequence) { return log.ledger.entries[sequence - 1].time; };
    CHECK(found(log.ledger, {.since = time(10)}) == Sequences{12, 11, 10});
    CHECK(found(log.ledger, {.until = time(3)}) == Sequences{2, 1});
    CHECK(found(log.ledger, {.since = time(5), .until = time(7)}) == Sequences{6, 5});
}

TEST_CASE("pages neither lose nor repeat an entry") {
    const AuditLog log{12, 4};
    for (const std::size_t limit : {1U, 2U, 5U, 12U, 100U}) {
        CHECK(
            found(log.ledger, {.limit = limit}) ==
            Sequences{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    }
}

TEST_CASE("a batch that does not follow the head is refused") {
    AuditLog log{3, 3};
    const Fact fact = AuditLog::fact(1);
    const auto stale =
        extend(empty_log(HiveId::parse("main").value()), std::span{&fact, 1}, std::vector<Salt>(1));
    REQUIRE(stale);
    const auto refused = log.ledger.append(*stale);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
}
