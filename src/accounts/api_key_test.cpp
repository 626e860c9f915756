#include "accounts/api_key.hpp"

#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <string>

using namespace hive;
using namespace hive::accounts;
using namespace std::chrono_literals;

namespace {

const Timestamp now{1'750'000'000s};

KeyEntropy entropy(std::uint8_t seed) {
    KeyEntropy bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(seed * 31 + i);
    return bytes;
}

MintedKey bee_key(std::optional<Duration> valid_for = {}) {
    return *mint_key({.id = "key-1", .owner = "BEE-001", .valid_for = valid_for}, entropy(1), now);
}

} // namespace

TEST_CASE("a minted key has the published shape, its own checksum, and is kept only as a hash") {
    const std::regex pattern{std::string{key_pattern}};
    std::set<std::string> seen;
    for (const KeyKind kind : {KeyKind::bee, KeyKind::human, KeyKind::service}) {
        const auto key = *mint_key({.id = "k", .owner = "x", .kind = kind}, entropy(7), now);
        const std::string text{key.text.reveal()};
        CHECK(std::regex_match(text, pattern));
        CHECK(*check_key_text(text) == kind);
        CHECK(key.record.hash == hash_key(text));
        CHECK(key.record.shown.size() < 16);
        seen.insert(text);
    }
    CHECK(seen.size() == 3);
}

TEST_CASE("every single typing error in a key is caught by its checksum") {
    const std::string text{bee_key().text.reveal()};
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string typo = text;
        typo[i] = typo[i] == 'x' ? 'y' : 'x';
        if (typo == text) continue;
        CHECK_MESSAGE(!check_key_text(typo).has_value(), typo);
    }
    for (const std::string& wrong :
         {std::string{}, text + "a", text.substr(1), std::string(43, ' ')}) {
        CHECK(check_key_text(wrong).error().code == Errc::denied);
    }
}

TEST_CASE("a key ends when it expires and at once when it is revoked") {
    const auto key = bee_key(1h).record;
    CHECK(principal_of(key, now + 59min)->id == "BEE-001");
    CHECK(principal_of(key, now + 1h).error().detail.find("expired") != std::string::npos);
    const auto revoked = revoke_key(key, now + 5min);
    CHECK(principal_of(revoked, now + 4min).has_value());
    CHECK(principal_of(revoked, now + 5min).error().detail.find("revoked") != std::string::npos);
    CHECK(revoke_key(revoked, now + 10min).revoked == revoked.revoked);
}

TEST_CASE("rotation keeps the old key for the overlap and never longer than it had") {
    const auto key = bee_key().record;
    const auto rotation = *rotate_key(key, "key-2", entropy(2), now);
    CHECK(rotation.old.rotated_to == "key-2");
    CHECK(state_of(rotation.old, now + rotation_overlap - 1s) == KeyState::active);
    CHECK(state_of(rotation.old, now + rotation_overlap) == KeyState::expired);
    CHECK(rotation.fresh.record.owner == key.owner);
    CHECK(rotation.fresh.record.scopes == key.scopes);
    CHECK(rotation.fresh.record.hash != key.hash);

    const auto short_lived = *rotate_key(bee_key(1h).record, "key-2", entropy(2), now + 30min);
    CHECK(state_of(short_lived.old, now + 1h) == KeyState::expired);
    CHECK(*short_lived.fresh.record.expires == now + 90min);
}

TEST_CASE("a key that ended or was rotated is not rotated again") {
    const auto key = bee_key().record;
    CHECK(rotate_key(revoke_key(key, now), "k2", entropy(2), now).error().code == Errc::conflict);
    const auto rotated = rotate_key(key, "k2", entropy(2), now)->old;
    CHECK(rotate_key(rotated, "k3", entropy(3), now).error().code == Errc::conflict);
}

TEST_CASE("a key may be narrower than its role, never wider, and needs an owner") {
    const auto narrow = mint_key(
        {.id = "k", .owner = "x", .scopes = *Scopes::parse({"tasks:read"})}, entropy(1), now);
    REQUIRE(narrow.has_value());
    CHECK_FALSE(principal_of(narrow->record, now)->may(Area::tasks, Level::write));
    const auto wide = mint_key(
        {.id = "k", .owner = "x", .scopes = *Scopes::parse({"keys:admin"})}, entropy(1), now);
    CHECK(wide.error().detail.find("keys:admin") != std::string::npos);
    CHECK_FALSE(mint_key({.id = "k", .owner = ""}, entropy(1), now).has_value());
}

TEST_CASE("a role that was narrowed since binds the keys that were minted before") {
    auto key = bee_key().record;
    key.scopes = Scopes::everything(); // as if stored by a program whose bees could do more
    CHECK_FALSE(principal_of(key, now)->may(Area::swarms, Level::write));
}
