#include "wire/topic.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace hive::wire {
namespace {

// Walks the words of a key without copying them.
class Words {
public:
    explicit Words(std::string_view key) : rest_{key}, done_{key.empty()} {}

    bool done() const { return done_; }
    std::string_view front() const { return rest_.substr(0, rest_.find('.')); }
    void pop() {
        const std::size_t dot = rest_.find('.');
        done_ = dot == rest_.npos;
        if (!done_) rest_.remove_prefix(dot + 1);
    }

private:
    std::string_view rest_;
    bool done_;
};

} // namespace

Topic::Topic(std::string_view pattern) : pattern_{pattern} {
    for (Words words{pattern}; !words.done(); words.pop()) {
        const std::string_view word = words.front();
        literal_ = literal_ && word != "*" && word != "#";
        words_.emplace_back(word);
    }
}

bool Topic::matches(std::string_view key) const {
    if (literal_) return key == pattern_;
    // Where to go on when a later word does not fit: the latest `#` then takes one word more. An
    // earlier `#` never has to be revisited, which is what keeps this from going exponential.
    struct Resume {
        std::size_t word;
        Words key;
    };
    std::optional<Resume> resume;
    Words rest{key};
    std::size_t i = 0;
    for (;;) {
        if (i < words_.size() && words_[i] == "#") {
            resume = Resume{++i, rest};
        } else if (i == words_.size() && rest.done()) {
            return true;
        } else if (
            i < words_.size() && !rest.done() && (words_[i] == "*" || words_[i] == rest.front())) {
            ++i;
            rest.pop();
        } else if (resume && !resume->key.done()) {
            resume->key.pop();
            i = resume->word;
            rest = resume->key;
        } else {
            return false;
        }
    }
}

bool topic_matches(std::string_view pattern, std::string_view key) {
    return Topic{pattern}.matches(key);
}

} // namespace hive::wire
