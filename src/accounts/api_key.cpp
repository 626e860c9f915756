#include "accounts/api_key.hpp"

#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hive::accounts {
namespace {

constexpr std::string_view kind_letters = "bhs";
constexpr std::array<std::string_view, 3> kind_names{"bee", "human", "service"};
constexpr std::size_t prefix_size = 4; // hvb_
constexpr std::size_t random_size = 33;
constexpr std::size_t checksum_size = 6;
constexpr std::size_t key_size = prefix_size + random_size + checksum_size;

// CRC-32 of everything before it, as six base62 digits.
std::string checksum_of(std::string_view body) {
    const std::uint32_t crc = crc32(bytes_of(body));
    const std::array<std::uint8_t, 4> bytes{
        static_cast<std::uint8_t>(crc >> 24U), static_cast<std::uint8_t>(crc >> 16U),
        static_cast<std::uint8_t>(crc >> 8U), static_cast<std::uint8_t>(crc)};
    return to_base62(bytes);
}

} // namespace

std::string_view name_of(KeyKind kind) noexcept {
    return kind_names[static_cast<std::size_t>(kind)];
}

Result<KeyKind> check_key_text(std::string_view text) {
    // One message for every way to be wrong: which part fails is nobody's business.
    const auto wrong = [] { return fail(Errc::denied, "this is not an API key of this program"); };
    if (text.size() != key_size || !text.starts_with("hv") || text[3] != '_') return wrong();
    const std::size_t kind = kind_letters.find(text[2]);
    if (kind == kind_letters.npos) return wrong();
    if (text.substr(prefix_size + random_size) !=
        checksum_of(text.substr(0, key_size - checksum_size)))
        return wrong();
    return static_cast<KeyKind>(kind);
}

Digest hash_key(std::string_view text) {
    return sha256(bytes_of(text));
}

Result<MintedKey> mint_key(KeyRequest request, const KeyEntropy& entropy, Timestamp now) {
    if (request.owner.empty()) return fail(Errc::invalid, "a key needs an owner");
    const Scopes most = Scopes::of(request.role);
    const Scopes scopes = request.scopes.value_or(most);
    if (!most.includes(scopes)) {
        return fail(
            Errc::invalid, fmt::format(
                               "the role {} may do {}; the key asks for {}", name_of(request.role),
                               fmt::join(most.texts(), " "), fmt::join(scopes.texts(), " ")));
    }
    std::string text = fmt::format(
        "hv{}_{}", kind_letters[static_cast<std::size_t>(request.kind)], to_base62(entropy));
    text += checksum_of(text);
    MintedKey minted{
        .text = Secret{text},
        .record = {
            .id = std::move(request.id),
            .owner = std::move(request.owner),
            .kind = request.kind,
            .role = request.role,
            .scopes = scopes,
            .shown =
                fmt::format("{}…{}", text.substr(0, prefix_size + 3), text.substr(key_size - 4)),
            .hash = hash_key(text),
            .created = now}};
    if (request.valid_for) minted.record.expires = now + *request.valid_for;
    // The caller keeps the only copy.
    std::ranges::fill(text, '\0');
    return minted;
}

KeyState state_of(const ApiKey& key, Timestamp now) noexcept {
    if (key.revoked && *key.revoked <= now) return KeyState::revoked;
    if (key.expires && *key.expires <= now) return KeyState::expired;
    return KeyState::active;
}

Result<Principal> principal_of(const ApiKey& key, Timestamp now) {
    switch (state_of(key, now)) {
    case KeyState::revoked:
        return fail(
            Errc::denied,
            fmt::format("key {} was revoked at {}", key.shown, format_timestamp(*key.revoked)));
    case KeyState::expired:
        return fail(
            Errc::denied,
            fmt::format("key {} expired at {}", key.shown, format_timestamp(*key.expires)));
    case KeyState::active: break;
    }
    return Principal{
        .id = key.owner,
        .role = key.role,
        .scopes = key.scopes.narrowed_by(Scopes::of(key.role)),
        .proof = Proof::api_key,
        .proof_id = key.id};
}

Result<Rotation>
rotate_key(const ApiKey& key, std::string new_id, const KeyEntropy& entropy, Timestamp now) {
    if (state_of(key, now) != KeyState::active) {
        return fail(
            Errc::conflict, fmt::format("key {} is no longer active; mint a new one", key.shown));
    }
    if (!key.rotated_to.empty()) {
        return fail(
            Errc::conflict,
            fmt::format("key {} was rotated already, to {}", key.shown, key.rotated_to));
    }
    KeyRequest request{
        .id = std::move(new_id),
        .owner = key.owner,
        .kind = key.kind,
        .role = key.role,
        .scopes = key.scopes};
    if (key.expires) request.valid_for = *key.expires - key.created; // the same span, from now
    auto fresh = mint_key(std::move(request), entropy, now);
    if (!fresh) return fail(fresh.error());
    Rotation rotation{.old = key, .fresh = std::move(*fresh)};
    const Timestamp end = now + rotation_overlap;
    rotation.old.expires = key.expires ? std::min(*key.expires, end) : end;
    rotation.old.rotated_to = rotation.fresh.record.id;
    return rotation;
}

ApiKey revoke_key(ApiKey key, Timestamp now) {
    if (!key.revoked || *key.revoked > now) key.revoked = now;
    return key;
}

} // namespace hive::accounts
