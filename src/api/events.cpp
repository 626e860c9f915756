#include "api/events.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::api {
namespace {

constexpr std::size_t pattern_max = 256;

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find('.'));
}

// What follows the first word; nothing when it is the only one.
std::optional<std::string_view> after_first(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == text.npos) return std::nullopt;
    return text.substr(dot + 1);
}

// Words left on either side; nullopt is none, which differs from one empty word.
using Words = std::optional<std::string_view>;

bool match_words(Words pattern, Words topic) noexcept {
    // Where to go back to when what follows the last hash does not fit.
    Words hash_pattern;
    Words hash_topic;
    bool has_hash = false;
    while (topic) {
        if (pattern && first_word(*pattern) == "#") {
            has_hash = true;
            hash_pattern = after_first(*pattern);
            hash_topic = topic;
            pattern = hash_pattern;
        } else if (
            pattern &&
            (first_word(*pattern) == "*" || first_word(*pattern) == first_word(*topic))) {
            pattern = after_first(*pattern);
            topic = after_first(*topic);
        } else if (has_hash) {
            hash_topic = after_first(*hash_topic);
            topic = hash_topic;
            pattern = hash_pattern;
        } else {
            return false;
        }
    }
    while (pattern && first_word(*pattern) == "#") pattern = after_first(*pattern);
    return !pattern;
}

} // namespace

Result<TopicPattern> TopicPattern::parse(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == ':' || c == '*' || c == '#' || c == '.';
    };
    bool good = !text.empty() && text.size() <= pattern_max && std::ranges::all_of(text, allowed);
    for (Words rest = text; good && rest; rest = after_first(*rest)) {
        const std::string_view word = first_word(*rest);
        good = !word.empty() && (word.size() == 1 || word.find_first_of("*#") == word.npos);
    }
    if (good) return TopicPattern{std::string{text}};
    return fail(
        Errc::invalid,
        fmt::format("'{}' is not a topic pattern: words, * and # joined by dots", text));
}

bool TopicPattern::matches(std::string_view topic) const noexcept {
    return match_words(text_, topic);
}

Status Subscriptions::add(std::string_view pattern) {
    auto parsed = TopicPattern::parse(pattern);
    if (!parsed) return fail(parsed.error());
    if (std::ranges::find(patterns_, *parsed) != patterns_.end()) return {};
    if (patterns_.size() >= max) {
        return fail(Errc::limit, fmt::format("more than {} subscriptions", max));
    }
    patterns_.push_back(std::move(*parsed));
    return {};
}

bool Subscriptions::remove(std::string_view pattern) {
    return std::erase_if(patterns_, [&](const TopicPattern& p) { return p.text() == pattern; }) > 0;
}

bool Subscriptions::wants(std::string_view topic) const noexcept {
    return std::ranges::any_of(
        patterns_, [&](const TopicPattern& pattern) { return pattern.matches(topic); });
}

StreamEventPtr EventWindow::append(std::string topic, std::string data) {
    auto event = std::make_shared<const StreamEvent>(
        StreamEvent{next_++, std::move(topic), std::move(data)});
    events_.push_back(event);
    bytes_ += event->data.size();
    while (events_.size() > events_max_ || (bytes_ > bytes_max_ && events_.size() > 1)) {
        bytes_ -= events_.front()->data.size();
        events_.pop_front();
    }
    return event;
}

Backlog EventWindow::since(std::uint64_t sequence, std::size_t events_max) const {
    if (sequence == 0) sequence = first_ - 1;
    if (sequence > last()) sequence = 0; // of a life whose clock was ahead of ours
    Backlog backlog;
    const std::uint64_t oldest = events_.empty() ? next_ : events_.front()->sequence;
    if (sequence + 1 < oldest) backlog.gap = Gap{sequence + 1, oldest - 1};
    const std::size_t skipped =
        sequence + 1 > oldest ? static_cast<std::size_t>(sequence + 1 - oldest) : 0;
    const std::size_t count = std::min(events_max, events_.size() - skipped);
    const auto from = events_.begin() + static_cast<std::ptrdiff_t>(skipped);
    backlog.events.assign(from, from + static_cast<std::ptrdiff_t>(count));
    return backlog;
}

} // namespace hive::api
