#include "api/rest/recorded_keys.hpp"

#include "api/rest/schemas.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::rest {
namespace {

using accounts::ApiKey;
using store::KeyTable;

std::string_view name_of(accounts::KeyState state) noexcept {
    constexpr std::array<std::string_view, 3> names{"active", "expired", "revoked"};
    return names[static_cast<std::size_t>(state)];
}

accounts::KeyEntropy fresh_key_entropy() {
    accounts::KeyEntropy entropy{};
    fill_from_entropy(entropy);
    return entropy;
}

} // namespace

json::object to_json(const ApiKey& key, Timestamp now) {
    json::array scopes;
    for (const auto& scope : key.scopes.texts()) scopes.emplace_back(scope);
    json::object out{
        {"id", key.id},
        {"owner", key.owner},
        {"kind", accounts::name_of(key.kind)},
        {"role", accounts::name_of(key.role)},
        {"scopes", std::move(scopes)},
        {"shown", key.shown},
        {"state", name_of(accounts::state_of(key, now))}};
    put_time(out, "created", key.created);
    put_time(out, "expires", key.expires);
    put_time(out, "revoked", key.revoked);
    put_time(out, "lastUsed", key.last_used);
    if (!key.rotated_to.empty()) out["rotatedTo"] = key.rotated_to;
    return out;
}

json::object to_json(const accounts::MintedKey& minted, Timestamp now) {
    return {{"key", minted.text.reveal()}, {"record", to_json(minted.record, now)}};
}

std::string fresh_key_id() {
    std::array<std::uint8_t, 6> bytes{};
    fill_from_entropy(bytes);
    return "key-" + to_hex(bytes);
}

Result<ApiKey> find_key(store::Session& session, const HiveId& hive, const std::string& id) {
    auto key = KeyTable{session, hive}.find(id);
    if (!key) return fail(key.error());
    if (!*key) return fail(Errc::not_found, fmt::format("there is no key {}", id));
    return std::move(**key);
}

Result<accounts::MintedKey>
mint_and_record(Change& change, const HiveId& hive, accounts::KeyRequest request) {
    auto minted = accounts::mint_key(std::move(request), fresh_key_entropy(), change.now());
    if (!minted) return fail(minted.error());
    if (auto ok = KeyTable{change.session(), hive}.insert(minted->record); !ok) {
        return fail(ok.error());
    }
    auto ok = change.record(
        {.action = "key.created",
         .entity_type = "key",
         .entity_id = minted->record.id,
         .details = {{"after", to_json(minted->record, change.now())}}});
    if (!ok) return fail(ok.error());
    return minted;
}

Result<accounts::MintedKey>
rotate_and_record(Change& change, const HiveId& hive, const std::string& id) {
    auto key = find_key(change.session(), hive, id);
    if (!key) return fail(key.error());
    const Timestamp now = change.now();
    auto rotation = accounts::rotate_key(*key, fresh_key_id(), fresh_key_entropy(), now);
    if (!rotation) return fail(rotation.error());
    KeyTable table{change.session(), hive};
    if (auto ok = table.insert(rotation->fresh.record); !ok) return fail(ok.error());
    if (auto ok = table.update(rotation->old); !ok) return fail(ok.error());
    auto ok = change.record(
        {.action = "key.rotated",
         .entity_type = "key",
         .entity_id = id,
         .details = {
             {"before", to_json(*key, now)},
             {"after", to_json(rotation->old, now)},
             {"successor", to_json(rotation->fresh.record, now)}}});
    if (!ok) return fail(ok.error());
    return std::move(rotation->fresh);
}

Result<ApiKey> revoke_and_record(Change& change, const HiveId& hive, const std::string& id) {
    auto key = find_key(change.session(), hive, id);
    if (!key) return fail(key.error());
    const Timestamp now = change.now();
    ApiKey revoked = accounts::revoke_key(*key, now);
    if (auto ok = KeyTable{change.session(), hive}.update(revoked); !ok) return fail(ok.error());
    auto ok = change.record(
        {.action = "key.revoked",
         .entity_type = "key",
         .entity_id = id,
         .details = {{"before", to_json(*key, now)}, {"after", to_json(revoked, now)}}});
    if (!ok) return fail(ok.error());
    return revoked;
}

} // namespace hive::rest
