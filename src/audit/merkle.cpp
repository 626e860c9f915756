#include "audit/merkle.hpp"

#include <fmt/format.h>

#include <bit>

namespace hive::audit {

Digest leaf_hash(ByteView leaf) {
    static constexpr std::array<std::uint8_t, 1> prefix{0x00};
    return sha256({prefix, leaf});
}

Digest node_hash(const Digest& left, const Digest& right) {
    static constexpr std::array<std::uint8_t, 1> prefix{0x01};
    return sha256({prefix, left, right});
}

Digest empty_root() {
    return sha256(ByteView{});
}

Result<Frontier> Frontier::restore(std::uint64_t size, std::vector<Digest> peaks) {
    const auto expected = static_cast<std::size_t>(std::popcount(size));
    if (peaks.size() != expected) {
        return fail(
            Errc::invalid, fmt::format(
                               "a tree of {} leaves has {} peaks, not {}; the stored head of the "
                               "audit log is damaged",
                               size, expected, peaks.size()));
    }
    Frontier frontier;
    frontier.size_ = size;
    frontier.peaks_ = std::move(peaks);
    return frontier;
}

void Frontier::append(const Digest& leaf, std::vector<TreeNode>* completed) {
    unsigned level = 0;
    std::uint64_t index = size_;
    peaks_.push_back(leaf);
    if (completed != nullptr) completed->push_back({level, index, leaf});
    // Like adding one to a binary number: each carry joins two subtrees of the same size.
    while ((index & 1U) != 0) {
        const Digest right = peaks_.back();
        peaks_.pop_back();
        peaks_.back() = node_hash(peaks_.back(), right);
        ++level;
        index >>= 1U;
        if (completed != nullptr) completed->push_back({level, index, peaks_.back()});
    }
    ++size_;
}

Digest Frontier::root() const {
    if (peaks_.empty()) return empty_root();
    Digest root = peaks_.back();
    for (std::size_t i = peaks_.size() - 1; i-- > 0;) root = node_hash(peaks_[i], root);
    return root;
}

} // namespace hive::audit
