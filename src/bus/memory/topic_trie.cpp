#include "bus/memory/topic_trie.hpp"

#include <algorithm>
#include <span>

namespace hive::bus::memory {
namespace {

// Words are separated by dots and may be empty; an empty text has none.
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    if (text.empty()) return words;
    words.reserve(8);
    for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
        words.push_back(text.substr(0, dot));
        text.remove_prefix(dot + 1);
    }
    words.push_back(text);
    return words;
}

} // namespace

struct TopicTrie::Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
    std::vector<QueuePtr> queues;
    bool is_hash = false; // stands for any number of words

    const Node* child(std::string_view word) const {
        const auto found = children.find(word);
        return found == children.end() ? nullptr : found->second.get();
    }
    bool empty() const { return children.empty() && queues.empty(); }
};

namespace {

using Nodes = std::vector<const TopicTrie::Node*>;

// A hash below a node is reached with it, since it may stand for no word at all.
void reach(Nodes& nodes, const TopicTrie::Node* node) {
    for (; node != nullptr; node = node->child("#")) {
        if (std::ranges::find(nodes, node) != nodes.end()) return;
        nodes.push_back(node);
    }
}

// Whether the node is of no more use.
bool erase_below(
    TopicTrie::Node& node, std::span<const std::string_view> words, const QueuePtr& queue) {
    if (words.empty()) {
        std::erase(node.queues, queue);
        return node.empty();
    }
    const auto found = node.children.find(words.front());
    if (found == node.children.end()) return false;
    if (erase_below(*found->second, words.subspan(1), queue)) node.children.erase(found);
    return node.empty();
}

} // namespace

TopicTrie::TopicTrie() : root_{std::make_unique<Node>()} {}
TopicTrie::TopicTrie(TopicTrie&&) noexcept = default;
TopicTrie& TopicTrie::operator=(TopicTrie&&) noexcept = default;
TopicTrie::~TopicTrie() = default;

void TopicTrie::insert(std::string_view pattern, const QueuePtr& queue) {
    Node* node = root_.get();
    for (const auto word : words_of(pattern)) {
        auto found = node->children.find(word);
        if (found == node->children.end()) {
            found = node->children.emplace(word, std::make_unique<Node>()).first;
            found->second->is_hash = word == "#";
        }
        node = found->second.get();
    }
    if (std::ranges::find(node->queues, queue) == node->queues.end()) {
        node->queues.push_back(queue);
    }
}

void TopicTrie::erase(std::string_view pattern, const QueuePtr& queue) {
    erase_below(*root_, words_of(pattern), queue);
}

std::vector<QueuePtr> TopicTrie::find(std::string_view key) const {
    Nodes here;
    Nodes next;
    reach(here, root_.get());
    for (const auto word : words_of(key)) {
        next.clear();
        for (const Node* node : here) {
            if (node->is_hash) reach(next, node);
            reach(next, node->child("*"));
            // A wildcard's sign in a key is a plain word, which the two above match already.
            if (word != "*" && word != "#") reach(next, node->child(word));
        }
        std::swap(here, next);
    }
    std::vector<QueuePtr> found;
    for (const Node* node : here) {
        found.insert(found.end(), node->queues.begin(), node->queues.end());
    }
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
}

} // namespace hive::bus::memory
