#include "bus/memory/live_queue.hpp"
#include "bus/memory/topic_trie.hpp"
#include "kernel/random.hpp"
#include "wire/topic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace hive;
using namespace hive::bus::memory;

namespace {

QueuePtr some_queue() {
    return std::make_shared<LiveQueue>(bus::Queue{.name = "q"}, 1, 0);
}

std::string random_topic(Random& random, bool pattern) {
    constexpr std::array<std::string_view, 6> words{"a", "b", "", "*", "#", "#"};
    std::string text;
    for (auto left = random.below(6); left > 0; --left) {
        text += words[random.below(pattern ? words.size() : 3)];
        if (left > 1) text += '.';
    }
    return text;
}

} // namespace

TEST_CASE("the tree finds the queues that a topic match finds, each once") {
    Random random{7};
    for (int round = 0; round < 300; ++round) {
        TopicTrie trie;
        std::vector<std::pair<std::string, QueuePtr>> bindings;
        const std::array queues{some_queue(), some_queue(), some_queue()};
        for (int i = 0; i < 8; ++i) {
            bindings.emplace_back(random_topic(random, true), queues[random.below(queues.size())]);
            trie.insert(bindings.back().first, bindings.back().second);
        }
        for (int i = 0; i < 20; ++i) {
            const std::string key = random_topic(random, false);
            std::vector<QueuePtr> expected;
            for (const auto& [pattern, queue] : bindings) {
                if (wire::topic_matches(pattern, key)) expected.push_back(queue);
            }
            std::ranges::sort(expected);
            const auto rest = std::ranges::unique(expected);
            expected.erase(rest.begin(), rest.end());
            CHECK_MESSAGE(trie.find(key) == expected, key);
        }
    }
}

TEST_CASE("an erased binding is gone and others of the same pattern stay") {
    TopicTrie trie;
    const auto one = some_queue();
    const auto two = some_queue();
    trie.insert("a.*.#", one);
    trie.insert("a.*.#", two);
    trie.insert("a", one);
    trie.erase("a.*.#", one);
    CHECK(trie.find("a.b.c") == std::vector{two});
    CHECK(trie.find("a") == std::vector{one});
    trie.erase("a.*.#", two);
    trie.erase("never.there", two);
    CHECK(trie.find("a.b.c").empty());
}

TEST_CASE("a pattern of many hashes costs no more than its words") {
    TopicTrie trie;
    const auto queue = some_queue();
    std::string pattern = "#";
    for (int i = 0; i < 60; ++i) pattern += ".a.#";
    trie.insert(pattern, queue);
    std::string key = "a";
    for (int i = 0; i < 110; ++i) key += ".a";
    CHECK(trie.find(key + ".a").size() == 1);
    CHECK(trie.find(key.substr(0, 40)).empty());
}
