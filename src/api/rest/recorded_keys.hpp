#pragma once

#include "accounts/api_key.hpp"
#include "api/rest/transactions.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"

#include <string>

namespace hive::rest {

// What can be done with keys, each with its audit entry in the same transaction. Shared by the API
// and by commands that work beside a server.

json::object to_json(const accounts::ApiKey& key, Timestamp now);
json::object to_json(const accounts::MintedKey& minted, Timestamp now); // with the key itself

std::string fresh_key_id();

Result<accounts::ApiKey>
find_key(store::Session& session, const HiveId& hive, const std::string& id);

Result<accounts::MintedKey>
mint_and_record(Change& change, const HiveId& hive, accounts::KeyRequest request);
// The successor.
Result<accounts::MintedKey>
rotate_and_record(Change& change, const HiveId& hive, const std::string& id);
// The key as it is now.
Result<accounts::ApiKey>
revoke_and_record(Change& change, const HiveId& hive, const std::string& id);

} // namespace hive::rest
