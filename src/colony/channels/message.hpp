#pragma once

#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::channels {

inline constexpr std::size_t content_max = 32'768;

struct Ack {
    std::string bee;
    Timestamp at{};

    bool operator==(const Ack&) const = default;
};

struct Message {
    std::string id;
    std::string channel; // `general`, `task:TASK-9`, `bee:BEE-001`, or a name of its own
    std::string sender;
    std::string content;
    std::string type = "text"; // text, progress, request, response, or another word
    std::string reply_to{};
    std::string thread{}; // the first message of the thread it belongs to; empty: it is the first
    Words tags{};
    json::object metadata{};
    Timestamp created{};

    // Who has to say that they have seen it, and by when.
    Words ack_from{};
    std::optional<Timestamp> ack_by{};
    bool overdue = false; // said once, when the deadline had passed
    std::vector<Ack> acks{};

    bool operator==(const Message&) const = default;
};

// Those of `ack_from` who have not.
Words missing_acks(const Message& message);

// `general`, `task:<ref>`, `bee:<id>`, or 1 to 100 of [A-Za-z0-9_.-] that begin with a letter.
struct Channel {
    enum class Kind : std::uint8_t { free, task, bee };
    Kind kind = Kind::free;
    std::string name;    // all of it
    std::string subject; // what follows the colon
};
Result<Channel> parse_channel(std::string_view text);

json::object to_json(const Message& message);
Result<Message> from_stored(std::string_view text);

} // namespace hive::colony::channels
