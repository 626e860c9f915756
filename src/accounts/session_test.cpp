#include "accounts/session.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {

TokenEntropy entropy(int seed) {
    TokenEntropy bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::size_t>(seed) * 7 + i);
    }
    bytes[0] = static_cast<std::uint8_t>(seed >> 8);
    return bytes;
}

const Timestamp now{1'750'000'000s};
const TimePoint start{};

} // namespace

TEST_CASE("a session lives while it is used and not beyond its longest life") {
    const SessionPolicy policy{.idle = 1h, .longest = 3h};
    Session session{.person = "ann", .created = now, .last_seen = now};
    CHECK(principal_of(session, policy, now + 59min)->id == "ann");
    CHECK_FALSE(principal_of(session, policy, now + 1h).has_value());
    session.last_seen = now + 150min;
    CHECK(principal_of(session, policy, now + 179min).has_value());
    CHECK_FALSE(principal_of(session, policy, now + 3h).has_value());
}

TEST_CASE("a CSRF word fits its own session under its own server key only") {
    const Secret key{"server key"};
    const Session ann{.token_hash = make_token(entropy(1)).hash, .person = "ann"};
    const Session bob{.token_hash = make_token(entropy(2)).hash, .person = "bob"};
    const std::string word = csrf_word(ann.token_hash, key);
    CHECK(is_csrf_word(word, ann.token_hash, key));
    CHECK_FALSE(is_csrf_word(word, bob.token_hash, key));
    CHECK_FALSE(is_csrf_word(word, ann.token_hash, Secret{"another key"}));
    CHECK_FALSE(is_csrf_word("", ann.token_hash, key));
}

TEST_CASE("a ticket works once, in time, and every failure looks the same") {
    Tickets tickets{30s};
    const Principal ann{.id = "ann", .role = accounts::Role::human};
    const Secret ticket = tickets.issue(ann, entropy(1), start);
    const Secret late = tickets.issue(ann, entropy(2), start);

    const auto first = tickets.redeem(ticket.reveal(), start + 29s);
    REQUIRE(first.has_value());
    CHECK(first->id == "ann");
    CHECK(first->proof == Proof::ticket);
    const auto again = tickets.redeem(ticket.reveal(), start + 29s);
    const auto expired = tickets.redeem(late.reveal(), start + 30s);
    const auto unknown = tickets.redeem("made up", start);
    CHECK(again.error() == expired.error());
    CHECK(expired.error() == unknown.error());
    CHECK(unknown.error().code == Errc::denied);
    CHECK(tickets.size() == 0);
}

TEST_CASE("a flood of tickets stays bounded and the newest ones work") {
    Tickets tickets{30s, 10};
    Secret last;
    for (int i = 0; i < 1000; ++i) last = tickets.issue({.id = "x"}, entropy(i), start);
    CHECK(tickets.size() == 10);
    CHECK(tickets.redeem(last.reveal(), start).has_value());
}

TEST_CASE("a token is unguessable text and only its hash need be kept") {
    const Token token = make_token(entropy(5));
    CHECK(token.text.reveal().size() == 43);
    CHECK(hash_token(token.text.reveal()) == token.hash);
    CHECK(make_token(entropy(6)).hash != token.hash);
}
