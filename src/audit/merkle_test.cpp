#include "audit/merkle.hpp"
#include "kernel/encoding.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string_view>

using namespace hive;
using namespace hive::audit;

namespace {

// The reference tree of the Certificate Transparency project: eight leaves, the root of each size.
constexpr std::array<std::string_view, 8> reference_leaves{"",
                                                           "00",
                                                           "10",
                                                           "2021",
                                                           "3031",
                                                           "40414243",
                                                           "5051525354555657",
                                                           "606162636465666768696a6b6c6d6e6f"};
constexpr std::array<std::string_view, 9> reference_roots{
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};

Digest reference_leaf(std::size_t index) {
    Bytes bytes(reference_leaves[index].size() / 2);
    REQUIRE(read_hex(reference_leaves[index], bytes));
    return leaf_hash(bytes);
}

Digest numbered_leaf(std::uint64_t number) {
    return leaf_hash(bytes_of(std::to_string(number)));
}

} // namespace

TEST_CASE("the root at every size is that of the reference tree") {
    Frontier tree;
    CHECK(to_hex(tree.root()) == reference_roots[0]);
    for (std::size_t i = 0; i < reference_leaves.size(); ++i) {
        tree.append(reference_leaf(i));
        CHECK(to_hex(tree.root()) == reference_roots[i + 1]);
    }
}

TEST_CASE("the state of a tree is one hash for every one-bit of its size") {
    Frontier tree;
    for (std::uint64_t size = 1; size <= 200; ++size) {
        tree.append(numbered_leaf(size));
        CHECK(tree.size() == size);
        CHECK(tree.peaks().size() == static_cast<std::size_t>(std::popcount(size)));
    }
}

TEST_CASE("a restored tree goes on as if it had never been away") {
    Frontier tree;
    for (std::uint64_t i = 0; i < 100; ++i) {
        auto restored = Frontier::restore(tree.size(), tree.peaks());
        REQUIRE(restored);
        CHECK(*restored == tree);
        restored->append(numbered_leaf(i));
        tree.append(numbered_leaf(i));
        CHECK(restored->root() == tree.root());
    }
}

TEST_CASE("a state with the wrong number of hashes is refused") {
    CHECK_FALSE(Frontier::restore(3, {Digest{}}));
    CHECK_FALSE(Frontier::restore(0, {Digest{}}));
    CHECK(Frontier::restore(0, {}));
}

TEST_CASE("an append tells which subtrees it completes") {
    Frontier tree;
    std::vector<TreeNode> completed;
    for (std::uint64_t i = 0; i < 4; ++i) tree.append(numbered_leaf(i), &completed);
    const Digest left = node_hash(numbered_leaf(0), numbered_leaf(1));
    const Digest right = node_hash(numbered_leaf(2), numbered_leaf(3));
    const std::vector<TreeNode> expected{
        {0, 0, numbered_leaf(0)},      {0, 1, numbered_leaf(1)}, {1, 0, left},
        {0, 2, numbered_leaf(2)},      {0, 3, numbered_leaf(3)}, {1, 1, right},
        {2, 0, node_hash(left, right)}};
    CHECK(completed == expected);
}

TEST_CASE("a node cannot be passed off as a leaf") {
    const Digest a = numbered_leaf(1);
    const Digest b = numbered_leaf(2);
    Bytes both{a.begin(), a.end()};
    both.insert(both.end(), b.begin(), b.end());
    CHECK(leaf_hash(both) != node_hash(a, b));
}
