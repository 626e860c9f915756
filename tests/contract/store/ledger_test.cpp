#include "audit/export.hpp"
#include "kernel/random.hpp"
#include "tests/contract/store/hive_under_test.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::store;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

audit::Batch next_batch(const audit::Head& head, std::uint64_t first, std::size_t count) {
    std::vector<audit::Fact> facts;
    for (std::uint64_t i = first; i < first + count; ++i) facts.push_back(AuditLog::fact(i));
    return audit::extend(head, facts, std::vector<audit::Salt>(count)).value();
}

Status append(HiveUnderTest& test, const audit::Batch& batch) {
    return test.tell([&](AuditLedger& ledger) { return ledger.append(batch); });
}

Errc append_code(HiveUnderTest& test, const audit::Batch& batch) {
    const Status refused = append(test, batch);
    REQUIRE_FALSE(refused);
    return refused.error().code;
}

std::vector<std::uint64_t> sequences(const std::vector<audit::Entry>& entries) {
    std::vector<std::uint64_t> numbers;
    for (const auto& entry : entries) numbers.push_back(entry.sequence);
    return numbers;
}

// Reads all pages of the query and compares with what it must find.
void check_search(HiveUnderTest& test, const std::vector<audit::Entry>& all, audit::Query query) {
    std::vector<std::uint64_t> expected;
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        if (matches(query, view_of(*at))) expected.push_back(at->sequence);
    }
    std::vector<std::uint64_t> found;
    query.limit = std::min<std::size_t>(query.limit, all.size() / 8);
    for (;;) {
        const auto page = test.ask([&](const AuditLedger& ledger) { return ledger.search(query); });
        REQUIRE_MESSAGE(page, (page ? "" : page.error().detail));
        CHECK(page->entries.size() <= query.limit);
        for (const auto& entry : page->entries) {
            CHECK(entry == all[entry.sequence - 1]);
            found.push_back(entry.sequence);
        }
        if (!page->next) break;
        query.before = page->next;
    }
    CHECK(found == expected);
}

} // namespace

TEST_CASE("a log starts empty, and what is appended is what is read") {
    HiveUnderTest test;
    CHECK(test.head() == audit::empty_log(test.hive()));
    CHECK(test.entries().empty());
    CHECK(test.verified().good());

    const audit::Batch batch = next_batch(test.head(), 1, 5);
    REQUIRE(append(test, batch));
    CHECK(test.head() == batch.head);
    CHECK(test.entries() == batch.entries);
    REQUIRE(append(test, {.head = batch.head})); // nothing to append: nothing changes
    CHECK(test.head() == batch.head);
}

TEST_CASE("texts, times and details come back byte by byte") {
    HiveUnderTest test;
    audit::Fact odd{
        .time = Timestamp{-1'234'567'890'123'456'789ns},
        .actor = "human:Żółć 🐝",
        .action = std::string(audit::field_bytes_max, 'a'),
        .details = audit::Details::of({{"sql", "'; DROP TABLE audit_log; --"},
                                       {"newline", "a\nb\ttab \"q\" \\ \u00e9"},
                                       {"number", 1.5e300}})
                       .value()};
    REQUIRE(test.change([&](Session&, Facts& facts) -> Status {
        facts = {odd};
        return {};
    }));
    const auto entries = test.entries();
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].time == odd.time);
    CHECK(entries[0].actor == odd.actor);
    CHECK(entries[0].action == odd.action);
    CHECK(entries[0].entity_type.empty());
    CHECK(entries[0].request_id.empty());
    CHECK(entries[0].disclosure->details == odd.details.text());
    CHECK(test.verified().good());
}

TEST_CASE("an append that does not follow the stored head is refused") {
    HiveUnderTest test;
    const audit::Head empty = test.head();
    const audit::Batch first = next_batch(empty, 1, 3);
    REQUIRE(append(test, first));
    CHECK(append_code(test, first) == Errc::conflict);                   // again
    CHECK(append_code(test, next_batch(empty, 9, 1)) == Errc::conflict); // from an older head
    audit::Head ahead = next_batch(first.head, 4, 2).head;
    CHECK(append_code(test, next_batch(ahead, 6, 1)) == Errc::conflict); // leaves a gap
    audit::Head forged = first.head;
    forged.chain[0] ^= 1U;
    CHECK(append_code(test, next_batch(forged, 4, 1)) == Errc::conflict); // another past
    CHECK(test.head() == first.head);
    CHECK(append(test, next_batch(first.head, 4, 1)));
    CHECK(test.verified().good());
}

TEST_CASE("two that saw the same head cannot both go on from it, even within one unit") {
    HiveUnderTest test;
    for (std::uint64_t size : {0U, 1U}) {
        const Status refused =
            write_and_wait(test.db(), {.work = [&](Session& session) -> Status {
                               AuditLedger one{session, test.hive()};
                               AuditLedger two{session, test.hive()};
                               const auto head = one.head();
                               if (!head || head != two.head())
                                   return fail(Errc::invalid, "heads differ");
                               const audit::Batch batch = next_batch(*head, 1, 1);
                               if (auto ok = one.append(batch); !ok)
                                   return fail(Errc::invalid, "the first failed");
                               return two.append(batch);
                           }});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::conflict);
        CHECK(test.head().size() == size);
        if (size == 0) test.record(1, 1);
    }
}

TEST_CASE("logs of two hives in one database do not meet") {
    HiveUnderTest test;
    const HiveId other = HiveId::parse("other").value();
    test.record(1, 3);
    REQUIRE(change_and_wait(
        {test.db(), other, &fill_from_entropy}, [](Session&, Facts& facts) -> Status {
            facts = {AuditLog::fact(1)};
            return {};
        }));
    CHECK(test.head().size() == 3);
    CHECK(test.verified().good());
    const auto foreign = read_for(
        test.db(), [&](Session& session) { return AuditLedger{session, other}.search({}); });
    REQUIRE(foreign);
    CHECK(sequences(foreign->entries) == std::vector<std::uint64_t>{1});
}

TEST_CASE("reading is paged and ends at the end") {
    HiveUnderTest test;
    test.record(1, audit::page_max + 10);
    const auto read = [&](std::uint64_t first, std::size_t limit) {
        return sequences(
            test.ask([&](const AuditLedger& ledger) { return ledger.read(first, limit); }).value());
    };
    CHECK(read(1, 3) == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(read(1009, 100) == std::vector<std::uint64_t>{1009, 1010});
    CHECK(read(1, 0).empty());
    CHECK(read(1011, 5).empty());
    CHECK(read(UINT64_MAX, 5).empty());
    CHECK(read(1, SIZE_MAX).size() == audit::page_max);
}

TEST_CASE("a search finds what matches, newest first, page by page") {
    HiveUnderTest test;
    test.record(1, 60);
    const auto all = test.entries();
    const auto time = [](std::uint64_t number) { return AuditLog::fact(number).time; };
    const std::vector<audit::Query> queries{
        {},
        {.actor = "bee:BOT-001"},
        {.action = "task.claimed"},
        {.entity_type = "task"},
        {.entity_id = "TASK-7"},
        {.entity_type = "task", .entity_id = "TASK-7"},
        {.entity_type = "swarm", .entity_id = "TASK-7"},
        {.since = time(10)},
        {.until = time(10)},
        {.since = time(10), .until = time(20)},
        {.before = 30},
        {.actor = "bee:BOT-002", .action = "task.claimed", .since = time(5), .before = 50},
        {.actor = "nobody"},
        {.actor = ""},
        {.before = 0},
        {.before = UINT64_MAX},
    };
    for (const auto& query : queries) check_search(test, all, query);
}

TEST_CASE("a search for times finds them all in a long log whose times are not in order") {
    HiveUnderTest test;
    constexpr std::uint64_t spans = 3;
    Random random{7};
    const Timestamp start{1'750'000'000s};
    for (std::uint64_t span = 0; span <= spans; ++span) {
        REQUIRE(test.change([&](Session&, Facts& facts) -> Status {
            for (std::uint64_t i = 0; i < 1U << span_level; ++i) {
                if (span == spans && i == 100) break; // the last one is not complete
                facts.push_back(AuditLog::fact(i));
                facts.back().time = start + std::chrono::seconds{span * 1000 + random.below(1500)};
            }
            return {};
        }));
    }
    const auto all = test.entries();
    REQUIRE(all.size() == (spans << span_level) + 100);
    for (int i = 0; i < 12; ++i) {
        audit::Query query{.limit = 400};
        const auto since = start + std::chrono::seconds{random.below(5000)} - 200s;
        if (i % 3 != 1) query.since = since;
        if (i % 3 != 0) query.until = since + std::chrono::seconds{random.below(900)};
        if (i % 4 == 3) query.actor = "bee:BOT-001";
        if (i % 5 == 4) query.before = random.below(all.size());
        check_search(test, all, query);
    }
    check_search(test, all, {.since = start - 1h, .until = start});
    check_search(test, all, {.since = start + 5h});
    CHECK(test.verified().good());
}

TEST_CASE("a search finds who is in a few spans of a long log, and who is only in the newest") {
    HiveUnderTest test;
    constexpr std::uint64_t spans = 4;
    for (std::uint64_t span = 0; span <= spans; ++span) {
        REQUIRE(test.change([&](Session&, Facts& facts) -> Status {
            for (std::uint64_t i = 0; i < 1U << span_level; ++i) {
                if (span == spans && i == 50) break; // the last one is not complete
                facts.push_back(AuditLog::fact(i));
                auto& fact = facts.back();
                if (span % 3 == 0 && i % 500 == 7) fact.actor = "human:ada"; // the first and fourth
                if (span == 2 && i >= 1000) fact.action = "swarm.started";
                if (span == 2 && i == 1000) fact.entity_type = "swarm";
                if (span == spans && i == 3) fact.actor = "human:bob";
            }
            return {};
        }));
    }
    const auto all = test.entries();
    for (const std::uint64_t before : {std::uint64_t{2060}, std::uint64_t{4100}, UINT64_MAX}) {
        for (const std::size_t limit : {2U, 400U}) {
            const auto look = [&](audit::Query query) {
                query.before = before;
                query.limit = limit;
                check_search(test, all, query);
            };
            look({.actor = "human:ada"});
            look({.actor = "human:bob"});
            look({.actor = "bee:BOT-001"});
            look({.action = "swarm.started"});
            look({.entity_type = "swarm"});
            look({.actor = "human:ada", .action = "swarm.started"});
            look({.actor = "bee:BOT-001", .action = "swarm.started"});
            look({.actor = "bee:BOT-001", .entity_type = "swarm", .entity_id = "TASK-500"});
        }
    }
}

TEST_CASE("a page that ends with the last match has no next; a search for nothing finds nothing") {
    HiveUnderTest test;
    test.record(1, 10);
    const auto search = [&](const audit::Query& query) {
        return test.ask([&](const AuditLedger& ledger) { return ledger.search(query); }).value();
    };
    CHECK_FALSE(search({.limit = 10}).next);
    CHECK(search({.limit = 9}).next == 2);
    CHECK(search({.limit = 0}).entries.empty());
    CHECK(search({.limit = SIZE_MAX}).entries.size() == 10);
}

TEST_CASE("erased details are gone from reads, searches and exports, and the log stays good") {
    HiveUnderTest test;
    test.record(1, 6);
    REQUIRE(test.checkpoint());
    const auto erase = [&](std::uint64_t sequence) {
        return test.tell([&](AuditLedger& ledger) { return ledger.erase_details(sequence); });
    };
    REQUIRE(erase(4));
    CHECK(erase(4)); // again
    REQUIRE_FALSE(erase(7));
    CHECK(erase(7).error().code == Errc::not_found);
    CHECK(erase(0).error().code == Errc::not_found);
    CHECK(erase(UINT64_MAX).error().code == Errc::not_found);

    CHECK(test.entries()[3].erased());
    CHECK_FALSE(test.entries()[4].erased());
    const auto found = test.ask([](const AuditLedger& ledger) { return ledger.search({}); });
    CHECK(found->entries[2].erased());
    const auto exported = test.ask([&](const AuditLedger& ledger) -> Result<std::string> {
        const auto closing = ledger.latest_checkpoint();
        if (!closing) return fail(closing.error());
        std::string text;
        const auto written = audit::write_export(ledger, **closing, [&](std::string_view piece) {
            text += piece;
            return Status{};
        });
        if (!written) return fail(written.error());
        return text;
    });
    REQUIRE(exported);
    CHECK(exported->find("\"attempt\":3") != std::string::npos);
    CHECK(exported->find("\"attempt\":4") == std::string::npos);

    const auto report = test.verified();
    CHECK(report.good());
    CHECK(report.erased == 1);
}

TEST_CASE("one checkpoint per size is kept, and read in their order") {
    HiveUnderTest test;
    std::vector<audit::SignedCheckpoint> made;
    for (std::uint64_t i = 0; i < 5; ++i) {
        test.record(i * 3 + 1, 3);
        const auto checkpoint = test.checkpoint();
        REQUIRE(checkpoint);
        made.push_back(checkpoint->value());
    }
    const Status twice =
        test.tell([&](AuditLedger& ledger) { return ledger.save_checkpoint(made[2]); });
    REQUIRE_FALSE(twice);
    CHECK(twice.error().code == Errc::conflict);
    const auto after = [&](std::uint64_t size, std::size_t limit) {
        return test.ask(
            [&](const AuditLedger& ledger) { return ledger.checkpoints_after(size, limit); });
    };
    CHECK(after(0, 100).value() == made);
    CHECK(after(3, 2).value() == std::vector{made[1], made[2]});
    CHECK(after(15, 2)->empty());
    CHECK(after(UINT64_MAX, 2)->empty());
    const auto latest =
        test.ask([](const AuditLedger& ledger) { return ledger.latest_checkpoint(); });
    CHECK(latest->value() == made.back());
    CHECK(test.verified().checkpoints == 5);
}
