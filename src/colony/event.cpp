#include "colony/event.hpp"

#include <algorithm>

namespace hive::colony {

std::string topic_word(std::string_view text) {
    std::string word{text};
    // `*` and `#` would read as wildcards in a subscription.
    std::ranges::replace_if(
        word, [](char c) { return c == '.' || c == '*' || c == '#' || c == ' '; }, '_');
    return word;
}

std::string topic_of(const Event& event) {
    std::string topic = event.type + '.' + topic_word(event.entity_id);
    for (const auto& word : event.words) topic += '.' + topic_word(word);
    return topic;
}

} // namespace hive::colony
