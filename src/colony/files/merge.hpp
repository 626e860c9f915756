#pragma once

#include "colony/tasks/creating.hpp"
#include "colony/tasks/task.hpp"
#include "kernel/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// Whose value stays when a file and the colony changed the same field since they were last equal.
enum class Policy : std::uint8_t { last_write, files_win, api_win };
std::string_view name_of(Policy policy) noexcept;
Result<Policy> parse_policy(std::string_view text);

// A value that lost is kept here: in the audit log, and as a note on the task.
struct Conflict {
    std::string path;
    std::string field;
    json::value file;
    json::value api;
    bool file_won = false;
};
json::object to_json(const Conflict& conflict);

// One task on its three sides.
struct Sides {
    const tasks::Task* base = nullptr; // as both had it; none: the file is new to us
    const tasks::Task& file;
    const tasks::Task& api;
    Timestamp file_changed{};
};

struct Merged {
    tasks::Changes changes{}; // what the colony has to take
    bool any = false;
    std::vector<Conflict> conflicts{};
};
Merged merge(const Sides& sides, Policy policy);

// The moves that bring a task into the state that its file says, in order. Nothing: there is no
// way, such as out of a review. Whether they are allowed is for the lease to say.
std::optional<std::vector<tasks::Move>> moves_to(const tasks::Task& task, tasks::State wanted);

} // namespace hive::colony::files
