#pragma once

#include "kernel/result.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

// What happened, as every subscriber gets it. Encoded once, shared by all of them.
struct StreamEvent {
    std::uint64_t sequence = 0;
    std::string topic; // words joined by dots: `task.claimed.t1`
    std::string data;  // JSON text
};
using StreamEventPtr = std::shared_ptr<const StreamEvent>;

// `task.*.t1`, `swarm.#`: a star is one word, a hash any number of words, as on the broker.
class TopicPattern {
public:
    static Result<TopicPattern> parse(std::string_view text);
    bool matches(std::string_view topic) const noexcept;
    const std::string& text() const noexcept { return text_; }
    bool operator==(const TopicPattern& other) const { return text_ == other.text_; }

private:
    explicit TopicPattern(std::string text) : text_{std::move(text)} {}
    std::string text_;
};

// What one client wants to hear. Bounded, so that a client cannot make each event expensive.
class Subscriptions {
public:
    static constexpr std::size_t max = 64;

    Status add(std::string_view pattern);
    bool remove(std::string_view pattern); // false: there was no such subscription
    bool wants(std::string_view topic) const noexcept;
    std::size_t size() const noexcept { return patterns_.size(); }

private:
    std::vector<TopicPattern> patterns_;
};

// Events that are lost to this client: [first, last].
struct Gap {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool operator==(const Gap&) const = default;
};

struct Backlog {
    std::optional<Gap> gap{}; // comes before the events
    std::vector<StreamEventPtr> events{};
};

// The last events, in order, without holes. Bounded by number and by bytes.
class EventWindow {
public:
    // `first` is the number of the first event. Lives of a server begin with rising numbers, so
    // that the number of an event tells its life as well.
    EventWindow(std::size_t events_max, std::size_t bytes_max, std::uint64_t first = 1)
        : events_max_{events_max}, bytes_max_{bytes_max}, first_{first}, next_{first} {}

    StreamEventPtr append(std::string topic, std::string data);

    // What comes after `sequence`, the last one a client has seen; after zero comes all there is of
    // this life. A number of another life has a gap behind it: nobody knows what it missed.
    Backlog since(std::uint64_t sequence, std::size_t events_max) const;
    std::uint64_t last() const noexcept { return next_ - 1; } // `first` - 1 before the first
    std::uint64_t appended() const noexcept { return next_ - first_; }

private:
    std::size_t events_max_;
    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    std::uint64_t first_;
    std::uint64_t next_;
    std::deque<StreamEventPtr> events_;
};

} // namespace hive::api
