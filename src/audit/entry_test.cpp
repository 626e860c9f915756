#include "audit/entry.hpp"
#include "audit/merkle.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;

namespace {

Fact good_fact() {
    return Fact{.actor = "human:alice", .action = "task.created"};
}

void check_refused(const Fact& fact, std::string_view field) {
    const auto refused = check(fact);
    REQUIRE_FALSE(refused);
    CHECK_MESSAGE(refused.error().detail.find(field) != std::string::npos, refused.error().detail);
}

// The worked example of docs/guides/audit.md.
EntryView example() {
    static const Salt salt{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                           0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
    constexpr std::string_view details = R"({"title":"Count the bees"})";
    return EntryView{
        .sequence = 1,
        .time = parse_timestamp("2025-06-15T15:06:40.25Z").value(),
        .hive = "main",
        .actor = "human:alice",
        .action = "task.created",
        .entity_type = "task",
        .entity_id = "TASK-1",
        .correlation_id = "",
        .request_id = "req-1",
        .commitment = commit_to(salt, details),
        .disclosure = BasicDisclosure<std::string_view>{salt, details}};
}

} // namespace

TEST_CASE("the worked example of the guide has the published bytes and hashes") {
    const auto entry = example();
    const CanonicalBytes bytes{entry};
    CHECK(
        to_hex(entry.commitment) ==
        "5715a5c96a7cb698290f33fdbce91d052c39a6018177999b6842d5c96a5266b2");
    CHECK(
        to_hex(bytes.view()) ==
        "48414531000000000000000118493fba73d5b2805715a5c96a7cb698290f33fdbce91d052c39a601"
        "8177999b6842d5c96a5266b200046d61696e000b68756d616e3a616c696365000c7461736b2e6372"
        "656174656400047461736b00065441534b2d31000000057265712d31");
    CHECK(
        to_hex(genesis_of("main")) ==
        "ff1bc3035bd3555f8a97ef4f3abcfdf7052d95c763fa2fe6626b180d43e7b8ae");
    CHECK(
        to_hex(chain_hash(genesis_of("main"), bytes)) ==
        "cd70b9c718c270c40327ba54b878e230ecb4765c33a8397c72654e738cdd887e");
    CHECK(
        to_hex(leaf_hash(bytes.view())) ==
        "93cb0501096b9a689ed2733b83202591b083b766651c9b565bde9df032340c9d");
}

TEST_CASE("no two entries share their bytes because text moved from one field to the next") {
    auto a = example();
    a.entity_type = "task";
    a.entity_id = "s1";
    auto b = example();
    b.entity_type = "tasks";
    b.entity_id = "1";
    const CanonicalBytes first{a};
    const CanonicalBytes second{b};
    CHECK(text_of(first.view()) != text_of(second.view()));
}

TEST_CASE("every field of an entry but its details is part of its bytes") {
    const CanonicalBytes original{example()};
    const auto changes = [&](auto&& change) {
        auto entry = example();
        change(entry);
        return text_of(CanonicalBytes{entry}.view()) != text_of(original.view());
    };
    CHECK(changes([](auto& e) { e.sequence = 2; }));
    CHECK(changes([](auto& e) { e.time += Duration{1}; }));
    CHECK(changes([](auto& e) { e.hive = "mine"; }));
    CHECK(changes([](auto& e) { e.actor = "human:alica"; }));
    CHECK(changes([](auto& e) { e.action = "task.deleted"; }));
    CHECK(changes([](auto& e) { e.entity_type = "bee"; }));
    CHECK(changes([](auto& e) { e.entity_id = "TASK-2"; }));
    CHECK(changes([](auto& e) { e.correlation_id = "c"; }));
    CHECK(changes([](auto& e) { e.request_id = "req-2"; }));
    CHECK(changes([](auto& e) { e.commitment[0] ^= 1U; }));
    CHECK_FALSE(changes([](auto& e) { e.disclosure.reset(); }));
}

TEST_CASE("times before 1970 and fields of full length have bytes as well") {
    auto entry = example();
    entry.time = Timestamp{Duration{-1}};
    const std::string longest(field_bytes_max, 'x');
    entry.hive = entry.actor = entry.action = entry.entity_type = entry.entity_id =
        entry.correlation_id = entry.request_id = longest;
    const CanonicalBytes bytes{entry};
    CHECK(bytes.view().size() == 4 + 8 + 8 + 32 + 7 * (2 + 255));
    CHECK(to_hex(bytes.view().subspan(12, 8)) == "ffffffffffffffff");
}

TEST_CASE("an entry survives the trip from owner to view and back") {
    const Entry owned = own(example());
    CHECK(view_of(owned) == example());
    auto erased = owned;
    erased.disclosure.reset();
    CHECK(own(view_of(erased)) == erased);
    CHECK(erased.erased());
}

TEST_CASE("a fact without actor or action is refused") {
    CHECK(check(good_fact()));
    auto fact = good_fact();
    fact.actor.clear();
    check_refused(fact, "actor");
    fact = good_fact();
    fact.action.clear();
    check_refused(fact, "action");
}

TEST_CASE("a field that is too long, not text or not one line is refused by name") {
    auto fact = good_fact();
    fact.entity_id = std::string(field_bytes_max + 1, 'x');
    check_refused(fact, "entityId");
    fact.entity_id = std::string(field_bytes_max, 'x');
    CHECK(check(fact));
    fact = good_fact();
    fact.entity_type = "\xc3\x28";
    check_refused(fact, "entityType");
    fact = good_fact();
    fact.correlation_id = "two\nlines";
    check_refused(fact, "correlationId");
    fact = good_fact();
    fact.request_id = std::string{"a\0b", 3};
    check_refused(fact, "requestId");
    fact = good_fact();
    fact.actor = "bee:Zoë";
    CHECK(check(fact));
}
