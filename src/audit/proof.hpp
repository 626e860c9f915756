#pragma once

#include "audit/merkle.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <vector>

namespace hive::audit {

// Where complete subtrees are looked up; a store keeps those that Appender's batches carry.
class NodeSource {
public:
    virtual ~NodeSource() = default;
    virtual Result<Digest> node(unsigned level, std::uint64_t index) const = 0;
};

// The whole tree in memory: 64 bytes a leaf.
class MerkleTree final : public NodeSource {
public:
    void append(const Digest& leaf);
    std::uint64_t size() const noexcept { return frontier_.size(); }
    Digest root() const { return frontier_.root(); }
    Result<Digest> node(unsigned level, std::uint64_t index) const override;

private:
    Frontier frontier_;
    std::vector<TreeNode> completed_;         // empty between calls
    std::vector<std::vector<Digest>> levels_; // levels_[l][i] is node (l, i)
};

Result<Digest> root_at(const NodeSource& nodes, std::uint64_t size);

// Shows that a leaf is part of a tree without the other leaves.
struct InclusionProof {
    std::uint64_t index = 0; // of the leaf, from 0: an entry's sequence minus one
    std::uint64_t size = 0;  // of the tree
    std::vector<Digest> path{};
};
Result<InclusionProof>
prove_inclusion(const NodeSource& nodes, std::uint64_t index, std::uint64_t size);
bool verify_inclusion(const InclusionProof& proof, const Digest& leaf, const Digest& root);

// Shows that a tree only grew: the old leaves are still there, unchanged and in order.
struct ConsistencyProof {
    std::uint64_t old_size = 0; // 0 is consistent with everything and proves nothing
    std::uint64_t new_size = 0;
    std::vector<Digest> path{};
};
Result<ConsistencyProof>
prove_consistency(const NodeSource& nodes, std::uint64_t old_size, std::uint64_t new_size);
bool verify_consistency(
    const ConsistencyProof& proof, const Digest& old_root, const Digest& new_root);

} // namespace hive::audit
