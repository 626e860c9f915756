#pragma once

#include "api/cursor.hpp"
#include "api/event_socket.hpp"
#include "api/rest/gatekeeper.hpp"
#include "api/rest/recorded_keys.hpp"
#include "api/rest/transactions.hpp"
#include "api/route.hpp"

#include <vector>

namespace hive::rest {

struct KeyParts {
    Transactions& transactions;
    Gatekeeper& gatekeeper;
    const api::CursorCodec& cursors;
};

// /api/v1/keys: list, mint, show, rotate, revoke.
std::vector<api::Route> key_routes(KeyParts parts);

// All keys, at most a thousand, as the topic `key` begins.
api::SnapshotSource key_snapshot(Transactions& transactions);

api::Content minted_content(); // of an answer that hands out a key

} // namespace hive::rest
