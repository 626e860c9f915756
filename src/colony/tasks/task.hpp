#pragma once

#include "colony/tasks/state.hpp"
#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::colony::tasks {

inline constexpr int priority_usual = 2; // of 0, the most urgent, to 4
inline constexpr int priority_last = 4;
inline constexpr std::size_t history_max = 20;

// What a bee has while it works on a task. The token rises with every claim of the task: whoever
// shows an older one has lost it.
struct Lease {
    std::string holder;
    std::string instance{}; // which of several processes of that bee
    std::uint64_t token = 0;
    Timestamp ends{};
    Duration span{};

    bool operator==(const Lease&) const = default;
};

// How often a task is tried, and how long apart: `first`, then twice as long each time.
struct Retry {
    int attempts_max = 3;
    Duration first = std::chrono::seconds{10};
    Duration longest = std::chrono::hours{1};

    bool operator==(const Retry&) const = default;
};
Duration backoff(const Retry& retry, int attempts) noexcept;

// Something that lies elsewhere: a file, a page, a commit.
struct Attachment {
    std::string name;
    std::string uri;
    std::string digest{};

    bool operator==(const Attachment&) const = default;
};

struct Attempt {
    std::uint64_t token = 0; // of its lease
    std::string bee;
    Timestamp began{};
    std::optional<Timestamp> ended{};
    std::string end{}; // completed, failed, released, lapsed, blocked, cancelled
    std::string error{};

    bool operator==(const Attempt&) const = default;
};

struct Task {
    std::string id;
    std::string ref; // what people call it: `TASK-9`, or the stem of its file
    std::string title;
    std::string description{};
    State state = State::pending;
    int priority = priority_usual;
    Words tags{};
    Words skills{};            // what a bee must have to take it
    std::string assigned_to{}; // the only bee that may take it; empty: any
    std::string created_by;
    Timestamp created{};
    Timestamp changed{};
    std::uint64_t revision = 1;

    std::optional<Timestamp> not_before{};
    std::string repeat{};    // when the next one like it is due, by schedule.hpp
    std::string time_zone{}; // by whose clocks; empty: UTC
    Words depends_on{};
    Words unmet{}; // those of them that are not completed
    std::string unique_key{};
    std::vector<Attachment> attachments{};
    json::object metadata{};

    Retry retry{};
    int attempts = 0;               // begun since it was created or driven again
    std::vector<Attempt> history{}; // the last of them, oldest first
    std::uint64_t fence = 0;        // the token of the last lease
    std::optional<Lease> lease{};
    std::optional<Timestamp> claimed_at{};
    std::optional<int> percent{};
    std::string note{}; // the last word about it: progress, why it is blocked

    std::optional<Timestamp> completed_at{};
    std::string outcome{}; // success, failure, blocked
    json::value result{};
    std::string error{};
    std::string approval{}; // the request that holds it in review
    std::string file_path{};
    std::optional<Timestamp> file_synced_at{};

    bool operator==(const Task&) const = default;
};

// The bees that may take it: those with the skills, or the one it is for. Tasks of one lane are
// taken in order, so that looking for work costs as much as there are lanes, not tasks.
std::string lane_of(const Task& task);
struct Lane {
    std::string assigned_to;
    Words skills;
};
Lane read_lane(std::string_view lane);

} // namespace hive::colony::tasks
