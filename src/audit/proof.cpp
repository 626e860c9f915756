#include "audit/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace hive::audit {
namespace {

struct Range {
    std::uint64_t begin = 0; // a multiple of the largest power of two in the range
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
    // Where RFC 6962 splits: the largest power of two smaller than the size. Needs two leaves.
    std::uint64_t middle() const { return begin + std::bit_floor(size() - 1); }
};

// Collects the hashes of subtrees; after the first failure it only carries the error.
class Collector {
public:
    explicit Collector(const NodeSource& nodes) : nodes_{nodes} {}

    void add(Range range) {
        if (auto hash = hash_of(range)) {
            path_.push_back(*hash);
        } else if (!error_) {
            error_ = hash.error();
        }
    }

    Result<Digest> hash_of(Range range) const {
        // Complete subtrees from left to right, sizes falling; then folded from the right.
        std::vector<Digest> peaks;
        while (range.size() > 0) {
            const auto level = static_cast<unsigned>(std::bit_width(range.size())) - 1;
            auto hash = nodes_.node(level, range.begin >> level);
            if (!hash) return hash;
            peaks.push_back(*hash);
            range.begin += std::uint64_t{1} << level;
        }
        Digest root = peaks.back();
        for (std::size_t i = peaks.size() - 1; i-- > 0;) root = node_hash(peaks[i], root);
        return root;
    }

    // Proofs are walked from the root down and written from the leaf up.
    Result<std::vector<Digest>> finish() {
        if (error_) return fail(*error_);
        std::ranges::reverse(path_);
        return std::move(path_);
    }

private:
    const NodeSource& nodes_;
    std::vector<Digest> path_{};
    std::optional<Error> error_{};
};

} // namespace

void MerkleTree::append(const Digest& leaf) {
    frontier_.append(leaf, &completed_);
    for (const auto& node : completed_) {
        if (node.level == levels_.size()) levels_.emplace_back();
        levels_[node.level].push_back(node.hash);
    }
    completed_.clear();
}

Result<Digest> MerkleTree::node(unsigned level, std::uint64_t index) const {
    if (level < levels_.size() && index < levels_[level].size()) return levels_[level][index];
    return fail(
        Errc::not_found,
        fmt::format("the tree of {} leaves has no complete subtree {}/{}", size(), level, index));
}

Result<Digest> root_at(const NodeSource& nodes, std::uint64_t size) {
    if (size == 0) return empty_root();
    return Collector{nodes}.hash_of({0, size});
}

Result<InclusionProof>
prove_inclusion(const NodeSource& nodes, std::uint64_t index, std::uint64_t size) {
    if (index >= size) {
        return fail(
            Errc::invalid, fmt::format("leaf {} is not in a tree of {} leaves", index, size));
    }
    Collector path{nodes};
    Range range{0, size};
    while (range.size() > 1) {
        const std::uint64_t middle = range.middle();
        if (index < middle) {
            path.add({middle, range.end});
            range.end = middle;
        } else {
            path.add({range.begin, middle});
            range.begin = middle;
        }
    }
    auto hashes = path.finish();
    if (!hashes) return fail(hashes.error());
    return InclusionProof{index, size, std::move(*hashes)};
}

Result<ConsistencyProof>
prove_consistency(const NodeSource& nodes, std::uint64_t old_size, std::uint64_t new_size) {
    if (old_size > new_size) {
        return fail(
            Errc::invalid,
            fmt::format("a tree of {} leaves is not part of one of {}", old_size, new_size));
    }
    ConsistencyProof proof{old_size, new_size};
    if (old_size == 0 || old_size == new_size) return proof;
    Collector path{nodes};
    Range range{0, new_size};
    while (range.end != old_size) {
        const std::uint64_t middle = range.middle();
        if (old_size <= middle) {
            path.add({middle, range.end});
            range.end = middle;
        } else {
            path.add({range.begin, middle});
            range.begin = middle;
        }
    }
    // What is left is part of both trees; from 0 on it is the old tree, whose root is known.
    if (range.begin != 0) path.add(range);
    auto hashes = path.finish();
    if (!hashes) return fail(hashes.error());
    proof.path = std::move(*hashes);
    return proof;
}

// RFC 9162, section 2.1.3.2.
bool verify_inclusion(const InclusionProof& proof, const Digest& leaf, const Digest& root) {
    if (proof.index >= proof.size) return false;
    std::uint64_t node = proof.index;
    std::uint64_t last = proof.size - 1;
    Digest hash = leaf;
    for (const Digest& sibling : proof.path) {
        if (last == 0) return false;
        if ((node & 1U) != 0 || node == last) {
            hash = node_hash(sibling, hash);
            const int skip = (node & 1U) != 0 ? 0 : std::countr_zero(node);
            node >>= static_cast<unsigned>(skip);
            last >>= static_cast<unsigned>(skip);
        } else {
            hash = node_hash(hash, sibling);
        }
        node >>= 1U;
        last >>= 1U;
    }
    return last == 0 && hash == root;
}

// RFC 9162, section 2.1.4.2.
bool verify_consistency(
    const ConsistencyProof& proof, const Digest& old_root, const Digest& new_root) {
    if (proof.old_size > proof.new_size) return false;
    if (proof.old_size == proof.new_size) return proof.path.empty() && old_root == new_root;
    if (proof.old_size == 0) return proof.path.empty() && old_root == empty_root();
    // The climb starts at the largest subtree that ends where the old tree ends.
    const auto skip = static_cast<unsigned>(std::countr_zero(proof.old_size));
    std::uint64_t node = (proof.old_size - 1) >> skip;
    std::uint64_t last = (proof.new_size - 1) >> skip;
    auto next = proof.path.begin();
    Digest old_hash = old_root;
    if (node != 0) {
        if (next == proof.path.end()) return false;
        old_hash = *next++;
    }
    Digest new_hash = old_hash;
    for (; next != proof.path.end(); ++next) {
        if (last == 0) return false;
        if ((node & 1U) != 0 || node == last) {
            old_hash = node_hash(*next, old_hash);
            new_hash = node_hash(*next, new_hash);
            while ((node & 1U) == 0 && node != 0) {
                node >>= 1U;
                last >>= 1U;
            }
        } else {
            new_hash = node_hash(new_hash, *next);
        }
        node >>= 1U;
        last >>= 1U;
    }
    return last == 0 && old_hash == old_root && new_hash == new_root;
}

} // namespace hive::audit
