#pragma once

#include "colony/bees/bee.hpp"
#include "colony/channels/message.hpp"
#include "colony/files/zone.hpp"
#include "colony/tasks/task.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// A file that the hive writes: where below `.deia`, and what.
struct Written {
    std::string path;
    std::string bytes;
};

// How a task went, in the form that PROCESS-0002 asks of bees. `sequence` is that of the audit
// entry: one entry makes one file, however often it is written.
struct Ending {
    std::string bee;
    std::string word; // complete, failed, blocked
    std::string text{};
    Timestamp at{};
    std::uint64_t sequence = 0;
};
Written response_of(const tasks::Task& task, const Ending& ending, const Zone& zone);

// A message to a bee or to all, for bees that read files.
Written message_file(const channels::Message& message, const Zone& zone);

Written heartbeat_of(const bees::Bee& bee, const std::string& task);
Written pause_file(const std::string& bee);

// One line of a bot log, as PROCESS-0004 has them.
struct LogFact {
    Timestamp at{};
    std::string bee;
    std::string event;
    std::string task{};
    std::string text{};
    std::uint64_t sequence = 0;
};
std::string log_line(const LogFact& fact);
std::string log_path(const std::string& bee);
std::string log_event_of(std::string_view action); // empty: not for bot logs

// The status board: what was there stays, our bees are brought up to date.
struct OnBoard {
    bees::Bee bee;
    std::string task{}; // that it holds
};
std::string board_of(std::string_view before, const std::vector<OnBoard>& all, Timestamp now);

} // namespace hive::colony::files
