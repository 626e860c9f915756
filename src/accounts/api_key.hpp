#pragma once

#include "accounts/principal.hpp"
#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hive::accounts {

// The letter after `hv` tells scanners and people whose key they found.
enum class KeyKind : std::uint8_t { bee, human, service };

std::string_view name_of(KeyKind kind) noexcept;

// 192 bits: guessing one is not a plan.
using KeyEntropy = std::array<std::uint8_t, 24>;

// For secret scanners: what every key of this program looks like.
inline constexpr std::string_view key_pattern = "hv[bhs]_[0-9A-Za-z]{39}";

// Shape and checksum of a presented key; a typing error never reaches the store.
Result<KeyKind> check_key_text(std::string_view text);
Digest hash_key(std::string_view text);

// What is kept: never the key itself. The key is high in entropy, so a plain hash is enough.
struct ApiKey {
    std::string id; // how people and the audit refer to it
    std::string owner;
    KeyKind kind = KeyKind::bee;
    Role role = Role::bee;
    Scopes scopes{};     // already narrowed by the role
    std::string shown{}; // first and last characters, to recognise it by: `hvb_Ab3…x9Yz`
    Digest hash{};
    Timestamp created{};
    std::optional<Timestamp> expires{};
    std::optional<Timestamp> revoked{};
    std::optional<Timestamp> last_used{};
    std::string rotated_to{}; // id of the key that takes over
};

struct KeyRequest {
    std::string id;
    std::string owner;
    KeyKind kind = KeyKind::bee;
    Role role = Role::bee;
    std::optional<Scopes> scopes{}; // none: all that the role may do
    std::optional<Duration> valid_for{};
};

struct MintedKey {
    Secret text; // shown once
    ApiKey record;
};

// Errc::invalid when the owner is empty or the wanted scopes exceed the role.
Result<MintedKey> mint_key(KeyRequest request, const KeyEntropy& entropy, Timestamp now);

enum class KeyState : std::uint8_t { active, expired, revoked };
KeyState state_of(const ApiKey& key, Timestamp now) noexcept;

// Errc::denied, saying whether the key expired or was revoked and when.
Result<Principal> principal_of(const ApiKey& key, Timestamp now);

struct Rotation {
    ApiKey old; // ends after the overlap, or earlier if it would have expired before
    MintedKey fresh;
};
// Errc::conflict when the key is not active or was rotated already.
Result<Rotation>
rotate_key(const ApiKey& key, std::string new_id, const KeyEntropy& entropy, Timestamp now);
inline constexpr Duration rotation_overlap = std::chrono::hours{24};

ApiKey revoke_key(ApiKey key, Timestamp now); // at once; a second time changes nothing

} // namespace hive::accounts
