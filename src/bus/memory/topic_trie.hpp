#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hive::bus::memory {

class LiveQueue;

// Shared because a sender that has looked a queue up keeps it while another party removes it.
using QueuePtr = std::shared_ptr<LiveQueue>;

// The bindings of one exchange as a tree of words: finding the queues of a key costs by the words
// of the key, not by the number of bindings, of which a thousand swarms have tens of thousands.
class TopicTrie {
public:
    struct Node;

    TopicTrie();
    TopicTrie(TopicTrie&&) noexcept;
    TopicTrie& operator=(TopicTrie&&) noexcept;
    ~TopicTrie();

    void insert(std::string_view pattern, const QueuePtr& queue);
    void erase(std::string_view pattern, const QueuePtr& queue);
    // Each queue once, however many of its bindings match.
    std::vector<QueuePtr> find(std::string_view key) const;

private:
    std::unique_ptr<Node> root_;
};

} // namespace hive::bus::memory
