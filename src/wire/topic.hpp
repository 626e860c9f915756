#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hive::wire {

// An AMQP 0-9-1 topic pattern, ready to be asked often: `*` stands for one word, `#` for any number
// of words, also none. Words are separated by dots and may be empty; the empty key has no words.
class Topic {
public:
    explicit Topic(std::string_view pattern);

    // At most (words of the pattern) x (words of the key) comparisons, whatever the pattern.
    bool matches(std::string_view key) const;

    const std::string& pattern() const noexcept { return pattern_; }
    // Without wildcards it matches exactly one key: its own text.
    bool is_literal() const noexcept { return literal_; }

private:
    std::string pattern_;
    std::vector<std::string> words_;
    bool literal_ = true;
};

// The same for a pattern that is asked once.
bool topic_matches(std::string_view pattern, std::string_view key);

} // namespace hive::wire
