#include "audit/proof.hpp"
#include "kernel/encoding.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string>

using namespace hive;
using namespace hive::audit;

namespace {

using Leaves = std::vector<Digest>;

Leaves make_leaves(std::size_t count) {
    Leaves leaves;
    for (std::size_t i = 0; i < count; ++i) {
        leaves.push_back(leaf_hash(bytes_of(std::to_string(i))));
    }
    return leaves;
}

MerkleTree tree_of(const Leaves& leaves) {
    MerkleTree tree;
    for (const auto& leaf : leaves) tree.append(leaf);
    return tree;
}

// The definitions of RFC 6962, section 2.1, word for word and without regard to cost.
Digest naive_root(const Leaves& d) {
    if (d.empty()) return empty_root();
    if (d.size() == 1) return d.front();
    const auto k = static_cast<std::ptrdiff_t>(std::bit_floor(d.size() - 1));
    return node_hash(naive_root({d.begin(), d.begin() + k}), naive_root({d.begin() + k, d.end()}));
}

Leaves naive_path(std::size_t m, const Leaves& d) {
    if (d.size() <= 1) return {};
    const std::size_t k = std::bit_floor(d.size() - 1);
    const Leaves left{d.begin(), d.begin() + static_cast<std::ptrdiff_t>(k)};
    const Leaves right{d.begin() + static_cast<std::ptrdiff_t>(k), d.end()};
    Leaves path = m < k ? naive_path(m, left) : naive_path(m - k, right);
    path.push_back(naive_root(m < k ? right : left));
    return path;
}

Leaves naive_subproof(std::size_t m, const Leaves& d, bool whole) {
    if (m == d.size()) return whole ? Leaves{} : Leaves{naive_root(d)};
    const std::size_t k = std::bit_floor(d.size() - 1);
    const Leaves left{d.begin(), d.begin() + static_cast<std::ptrdiff_t>(k)};
    const Leaves right{d.begin() + static_cast<std::ptrdiff_t>(k), d.end()};
    Leaves proof = m <= k ? naive_subproof(m, left, whole) : naive_subproof(m - k, right, false);
    proof.push_back(naive_root(m <= k ? right : left));
    return proof;
}

// Every way to spoil one hash, one hash too few, one too many.
std::vector<Leaves> spoiled(const Leaves& path) {
    std::vector<Leaves> all;
    for (std::size_t i = 0; i < path.size(); ++i) {
        all.push_back(path);
        all.back()[i][i % digest_size] ^= 1U;
    }
    all.push_back(path);
    all.back().emplace_back();
    if (!path.empty()) all.emplace_back(path.begin(), path.end() - 1);
    return all;
}

} // namespace

TEST_CASE("an inclusion proof is that of the reference tree") {
    constexpr std::array<std::string_view, 8> hex{"",
                                                  "00",
                                                  "10",
                                                  "2021",
                                                  "3031",
                                                  "40414243",
                                                  "5051525354555657",
                                                  "606162636465666768696a6b6c6d6e6f"};
    MerkleTree tree;
    for (const auto text : hex) {
        Bytes bytes(text.size() / 2);
        REQUIRE(read_hex(text, bytes));
        tree.append(leaf_hash(bytes));
    }
    const auto proof = prove_inclusion(tree, 0, 8);
    REQUIRE(proof);
    REQUIRE(proof->path.size() == 3);
    CHECK(
        to_hex(proof->path[0]) ==
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7");
    CHECK(
        to_hex(proof->path[1]) ==
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e");
    CHECK(
        to_hex(proof->path[2]) ==
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4");
    const auto grown = prove_consistency(tree, 6, 8);
    REQUIRE(grown);
    REQUIRE(grown->path.size() == 3);
    CHECK(
        to_hex(grown->path[0]) ==
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a");
    CHECK(
        to_hex(grown->path[1]) ==
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0");
    CHECK(
        to_hex(grown->path[2]) ==
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7");
}

TEST_CASE("every proof of every small tree equals the naive one and verifies") {
    const Leaves all = make_leaves(33);
    const MerkleTree tree = tree_of(all);
    for (std::size_t size = 1; size <= all.size(); ++size) {
        const Leaves leaves{all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)};
        const Digest root = naive_root(leaves);
        CHECK(root_at(tree, size) == root);
        for (std::size_t i = 0; i < size; ++i) {
            const auto proof = prove_inclusion(tree, i, size);
            REQUIRE(proof);
            CHECK(proof->path == naive_path(i, leaves));
            CHECK(verify_inclusion(*proof, leaves[i], root));
        }
        for (std::size_t old_size = 1; old_size <= size; ++old_size) {
            const auto proof = prove_consistency(tree, old_size, size);
            REQUIRE(proof);
            CHECK(proof->path == naive_subproof(old_size, leaves, true));
            CHECK(verify_consistency(*proof, *root_at(tree, old_size), root));
        }
    }
}

TEST_CASE("proofs of random trees equal the naive ones and verify") {
    Random random{2024};
    const Leaves all = make_leaves(3000);
    const MerkleTree tree = tree_of(all);
    for (int round = 0; round < 40; ++round) {
        const std::size_t size = 1 + random.below(all.size());
        const Leaves leaves{all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)};
        const Digest root = naive_root(leaves);
        CHECK(root_at(tree, size) == root);
        const std::size_t index = random.below(size);
        const auto inclusion = prove_inclusion(tree, index, size);
        REQUIRE(inclusion);
        CHECK(inclusion->path == naive_path(index, leaves));
        CHECK(verify_inclusion(*inclusion, leaves[index], root));
        const std::size_t old_size = 1 + random.below(size);
        const auto consistency = prove_consistency(tree, old_size, size);
        REQUIRE(consistency);
        CHECK(consistency->path == naive_subproof(old_size, leaves, true));
        CHECK(verify_consistency(*consistency, *root_at(tree, old_size), root));
    }
}

TEST_CASE("a spoiled inclusion proof does not verify") {
    const Leaves leaves = make_leaves(13);
    const MerkleTree tree = tree_of(leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const auto proof = prove_inclusion(tree, i, leaves.size());
        REQUIRE(proof);
        for (auto& path : spoiled(proof->path)) {
            CHECK_FALSE(verify_inclusion({i, 13, std::move(path)}, leaves[i], tree.root()));
        }
        CHECK_FALSE(verify_inclusion(*proof, leaves[(i + 1) % 13], tree.root()));
        CHECK_FALSE(verify_inclusion(*proof, leaves[i], Digest{}));
        CHECK_FALSE(verify_inclusion({(i + 1) % 13, 13, proof->path}, leaves[i], tree.root()));
        CHECK_FALSE(verify_inclusion({13, 13, proof->path}, leaves[i], tree.root()));
    }
}

TEST_CASE("a spoiled consistency proof does not verify") {
    const MerkleTree tree = tree_of(make_leaves(13));
    for (std::uint64_t old_size = 1; old_size <= 13; ++old_size) {
        const Digest old_root = *root_at(tree, old_size);
        const auto proof = prove_consistency(tree, old_size, 13);
        REQUIRE(proof);
        for (auto& path : spoiled(proof->path)) {
            CHECK_FALSE(verify_consistency({old_size, 13, std::move(path)}, old_root, tree.root()));
        }
        CHECK_FALSE(verify_consistency(*proof, Digest{}, tree.root()));
        CHECK_FALSE(verify_consistency(*proof, old_root, Digest{}));
    }
}

TEST_CASE("a tree that forgot a leaf is not consistent with the old one") {
    Leaves leaves = make_leaves(13);
    const Digest old_root = *root_at(tree_of(leaves), 7);
    leaves.erase(leaves.begin() + 3);
    const MerkleTree forged = tree_of(leaves);
    const auto proof = prove_consistency(forged, 7, 12);
    REQUIRE(proof);
    CHECK_FALSE(verify_consistency(*proof, old_root, forged.root()));
}

TEST_CASE("proofs beyond the tree are refused") {
    const MerkleTree tree = tree_of(make_leaves(5));
    CHECK_FALSE(prove_inclusion(tree, 5, 5));
    CHECK_FALSE(prove_inclusion(tree, 0, 6));
    CHECK_FALSE(prove_consistency(tree, 6, 5));
    CHECK_FALSE(prove_consistency(tree, 2, 8));
    CHECK_FALSE(root_at(tree, 6));
    CHECK_FALSE(verify_consistency({6, 5, {}}, Digest{}, Digest{}));
}

TEST_CASE("the empty tree is part of every tree") {
    const MerkleTree tree = tree_of(make_leaves(5));
    const auto proof = prove_consistency(tree, 0, 5);
    REQUIRE(proof);
    CHECK(proof->path.empty());
    CHECK(verify_consistency(*proof, empty_root(), tree.root()));
    CHECK_FALSE(verify_consistency(*proof, Digest{}, tree.root()));
}
