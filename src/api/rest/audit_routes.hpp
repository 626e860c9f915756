#pragma once

#include "api/cursor.hpp"
#include "api/rest/transactions.hpp"
#include "api/route.hpp"
#include "audit/note.hpp"

#include <functional>
#include <vector>

namespace hive::rest {

// Signs checkpoints under the name of this hive's log.
struct AuditKey {
    std::string origin;
    SigningKey signing;
    audit::TrustedKey trusted() const;
};

struct AuditParts {
    Transactions& transactions;
    const AuditKey& key;
    const api::CursorCodec& cursors;
};

// /api/v1/audit: search, entries, proofs, checkpoints, export, verification, erasure of details.
std::vector<api::Route> audit_routes(AuditParts parts);

// Signs what was recorded since the last checkpoint; nothing when there is nothing new.
using Checkpointed = std::function<void(Result<std::optional<audit::SignedCheckpoint>>)>;
Status make_checkpoint(const AuditParts& parts, Checkpointed done);

} // namespace hive::rest
