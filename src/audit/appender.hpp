#pragma once

#include "audit/checkpoint.hpp"
#include "audit/entry.hpp"
#include "audit/merkle.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <span>
#include <string>
#include <vector>

namespace hive::audit {

// Where a hive's log ends: all that is needed to go on.
struct Head {
    HiveId hive;
    Digest chain{}; // hash of the last entry, or the genesis value
    Frontier tree{};

    std::uint64_t size() const noexcept { return tree.size(); }
    bool operator==(const Head&) const = default;
};

Head empty_log(HiveId hive);

// What one append adds. To be stored in one transaction with the change it records, or not at all.
struct Batch {
    std::vector<Entry> entries{};
    std::vector<TreeNode> nodes{}; // the subtrees that are now complete, for proofs
    Head head;                     // after the last entry
};

// The next entries of the log, in the order of the facts. One fresh secret salt for each fact.
Result<Batch> extend(const Head& head, std::span<const Fact> facts, std::span<const Salt> salts);

// The promise about the log as it ends here, to be signed.
Checkpoint checkpoint_of(const Head& head, std::string origin, Timestamp now);

} // namespace hive::audit
