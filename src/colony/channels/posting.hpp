#pragma once

#include "colony/channels/message.hpp"
#include "colony/channels/quota.hpp"
#include "colony/gate.hpp"
#include "colony/moment.hpp"
#include "colony/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::colony::channels {

struct MessageQuery {
    std::string channel{}; // empty: all
    std::string thread{};
    std::string tag{};
    std::string after{};  // newer than this id, oldest first
    std::string before{}; // or older than this id, newest first
    std::size_t limit = 100;
};

struct ChannelSummary {
    std::string name;
    std::uint64_t messages = 0;
    std::string last{}; // the id of the newest
    Timestamp changed{};
};

// Storage as the messages of one hive need it, within one unit of work: the messages,
class MessageRecords {
public:
    virtual ~MessageRecords() = default;

    // And its channel, when it is the first there.
    virtual Status insert(const Message& message) = 0;
    virtual Status update(const Message& message) = 0; // acks, overdue
    virtual Result<std::optional<Message>> find(std::string_view id) const = 0;
    virtual Result<std::string> newest() const = 0; // its id; empty: there is none
    virtual Result<std::vector<Message>> list(const MessageQuery& query) const = 0;
    virtual Result<std::vector<Message>> overdue(Timestamp now, std::size_t limit) const = 0;
};

// how far somebody has read,
class Reading {
public:
    virtual ~Reading() = default;

    virtual Result<std::vector<ChannelSummary>>
    channels(std::string_view after, std::size_t limit) const = 0;
    virtual Result<std::string> cursor(std::string_view reader, std::string_view channel) const = 0;
    virtual Status
    move_cursor(std::string_view reader, std::string_view channel, std::string_view message) = 0;
    virtual Result<std::uint64_t>
    unread(std::string_view reader, std::string_view channel) const = 0;
};

// and how much a bee has said lately.
class Speech {
public:
    virtual ~Speech() = default;

    virtual Result<Spoken> spoken(std::string_view bee) const = 0;
    virtual Status keep_spoken(std::string_view bee, const Spoken& spoken) = 0;
};

struct MessageBook {
    MessageRecords& records;
    Reading& reading;
    Speech& speech;
};

struct Desk {
    MessageBook book;
    Moment& moment;
    const QuotaPolicy& quota;
    Gate& gate;
};

struct NewMessage {
    std::string channel;
    std::string content;
    std::string type = "text";
    std::string reply_to{};
    Words tags{};
    json::object metadata{};
    Words ack_from{};
    std::optional<Duration> ack_within{};
    std::string sender{}; // empty: whoever acts
};

struct Posted {
    Message message;                      // when a rule held it back: not said yet
    std::optional<Allowance> allowance{}; // of a bee
};

// Counted: as if the sender had typed it, and rules look at it. Free: a by-product of another act
// that was allowed.
enum class Counting : bool { free, counted };
Outcome<Posted> post(Desk& desk, NewMessage wanted, Counting counting);

// Writes a refused message down: the post itself was undone. Told when a cooldown begins.
Outcome<Allowance> strike(Desk& desk);

Outcome<Message> acknowledge(Desk& desk, std::string_view id);
Outcome<std::string> read_up_to(Desk& desk, std::string_view channel, const std::string& message);

// Does what a rule held back, as whoever asked for it: the desk is theirs, its gate open.
Outcome<void> carry_out(Desk& desk, const Act& act);

// Says once of each message that its deadline has passed.
Outcome<std::size_t> report_overdue(Desk& desk, std::size_t limit);

} // namespace hive::colony::channels
