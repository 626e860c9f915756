#include "api/channel_topics.hpp"

#include "colony/event.hpp"

#include <fmt/format.h>

namespace hive::api {

Result<std::vector<std::string>> topics_of_channel(std::string_view channel) {
    constexpr std::size_t channel_max = 100;
    if (channel.empty() || channel.size() > channel_max) {
        return fail(Errc::invalid, "channel must have 1 to 100 characters");
    }
    std::vector<std::string> topics{fmt::format("message.*.*.{}.#", colony::topic_word(channel))};
    for (const std::string_view kind : {"task", "bee"}) {
        if (!channel.starts_with(kind) || channel.substr(kind.size(), 1) != ":") continue;
        const std::string word = colony::topic_word(channel.substr(kind.size() + 1));
        if (word.empty()) return fail(Errc::invalid, fmt::format("channel: which {}?", kind));
        topics.push_back(fmt::format("{}.*.{}.#", kind, word));
        topics.push_back(fmt::format("{}.*.*.{}.#", kind, word)); // by the name people gave it
    }
    return topics;
}

} // namespace hive::api
