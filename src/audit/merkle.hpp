#pragma once

#include "kernel/bytes.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <vector>

namespace hive::audit {

// RFC 6962: the prefixes keep a leaf from being passed off as a node and the other way round.
Digest leaf_hash(ByteView leaf);                           // SHA-256(0x00 || leaf)
Digest node_hash(const Digest& left, const Digest& right); // SHA-256(0x01 || left || right)
Digest empty_root();                                       // SHA-256 of nothing

// A complete subtree: the 2^level leaves from index * 2^level on. Never changes once it is there.
struct TreeNode {
    unsigned level = 0;
    std::uint64_t index = 0;
    Digest hash{};
    bool operator==(const TreeNode&) const = default;
};

// The little that must be kept to go on appending: one hash for every one-bit of the size.
class Frontier {
public:
    Frontier() = default; // the empty tree
    // Peaks from the largest subtree to the smallest, as peaks() gave them.
    static Result<Frontier> restore(std::uint64_t size, std::vector<Digest> peaks);

    // `completed`, when given, receives every subtree that this leaf completes, itself first.
    void append(const Digest& leaf, std::vector<TreeNode>* completed = nullptr);

    Digest root() const;
    std::uint64_t size() const noexcept { return size_; }
    const std::vector<Digest>& peaks() const noexcept { return peaks_; }
    bool operator==(const Frontier&) const = default;

private:
    std::uint64_t size_ = 0;
    std::vector<Digest> peaks_{};
};

} // namespace hive::audit
