#pragma once

#include "api/rest/audit_routes.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <string>

namespace hive::cli {

// The key that signs checkpoints; made at the first start, readable by its owner only. Kept in a
// file and not in the store: whoever can edit the store must not be able to sign.
Result<rest::AuditKey> load_or_make_audit_key(const std::string& path, const HiveId& hive);

} // namespace hive::cli
