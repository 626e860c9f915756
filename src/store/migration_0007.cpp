#include "store/migration_0007.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 10> changes_0007{
    R"(CREATE TABLE colony_message (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    channel {text} NOT NULL,
    thread {text},
    ack_due {int64},
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE INDEX colony_message_channel ON colony_message (channel, id, hive)",
    "CREATE INDEX colony_message_thread ON colony_message (thread, id, hive) "
    "WHERE thread IS NOT NULL",
    "CREATE INDEX colony_message_due ON colony_message (ack_due, hive) WHERE ack_due IS NOT NULL",
    R"(CREATE TABLE colony_channel (
    hive {text} NOT NULL,
    name {text} NOT NULL,
    messages {int64} NOT NULL,
    last {text} NOT NULL,
    changed {int64} NOT NULL,
    PRIMARY KEY (hive, name)
){strict})",
    // How far somebody has read.
    R"(CREATE TABLE colony_cursor (
    hive {text} NOT NULL,
    reader {text} NOT NULL,
    channel {text} NOT NULL,
    message {text} NOT NULL,
    PRIMARY KEY (hive, reader, channel)
){strict})",
    // How much a bee has said lately.
    R"(CREATE TABLE colony_spoken (
    hive {text} NOT NULL,
    bee {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, bee)
){strict})",
    R"(CREATE TABLE colony_message_tag (
    hive {text} NOT NULL,
    tag {text} NOT NULL,
    message {text} NOT NULL,
    PRIMARY KEY (hive, tag, message)
){strict})",
    R"(CREATE TABLE colony_bee (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    last_seen {int64} NOT NULL,
    alarm {int64} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE INDEX colony_bee_seen ON colony_bee (last_seen, hive)",
};

constexpr std::array<std::string_view, 6> tables_0007{"colony_message",     "colony_channel",
                                                      "colony_cursor",      "colony_spoken",
                                                      "colony_message_tag", "colony_bee"};

} // namespace

const Migration migration_0007{7, "channels and bees", &translated<changes_0007>, tables_0007};

} // namespace hive::store
