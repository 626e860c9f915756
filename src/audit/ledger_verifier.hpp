#pragma once

#include "audit/ledger.hpp"
#include "audit/note.hpp"
#include "audit/verifier.hpp"
#include "kernel/result.hpp"

#include <string>
#include <vector>

namespace hive::audit {

// Verifies a log where it is stored: every entry, every checkpoint, and the head it would go on
// from. `pins` are checkpoints kept elsewhere; they find a log cut short together with its own
// checkpoints. An error means that the ledger could not be read, a fault that it was tampered with.
Result<Report> verify_ledger(
    const Ledger& ledger, std::vector<TrustedKey> keys, const std::vector<std::string>& pins = {});

} // namespace hive::audit
