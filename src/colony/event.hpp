#pragma once

#include "kernel/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::colony {

// Something that happened in the colony. Recorded in the audit log with the change it tells of, and
// told to subscribers and webhooks after the commit.
struct Event {
    std::string type; // `task.claimed`
    std::string entity_type;
    std::string entity_id;
    json::object told{};    // what everyone who may hear of it gets
    json::object details{}; // what only the audit log gets besides: before and after
    // Further words to subscribe by, such as the name people gave a task.
    std::vector<std::string> words{};
};

// `task.claimed.<entity id>.<further words>`. A word of a topic has no dots: they become `_`.
std::string topic_of(const Event& event);
std::string topic_word(std::string_view text);

} // namespace hive::colony
