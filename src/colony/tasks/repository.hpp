#pragma once

#include "colony/tasks/task.hpp"

#include <cstdint>
#include <span>

namespace hive::colony::tasks {

// `next`: as they are taken, the most urgent first and of these the oldest.
enum class TaskOrder : std::uint8_t { newest, next };

// Where a listing by `next` goes on: behind this one.
struct TaskPosition {
    int priority;
    Timestamp created;
    std::string id;
};

struct TaskQuery {
    std::optional<State> state{};
    std::string assigned_to{}; // empty: any
    std::string holder{};
    std::string created_by{};
    std::string tag{};
    std::string text{}; // in the title, whatever its case
    std::optional<int> priority{};
    TaskOrder order = TaskOrder::newest;
    std::string after{};                  // the id of the last one before; newest first
    std::optional<TaskPosition> behind{}; // by `next`
    std::size_t limit = 100;
};

// Storage as the tasks of one hive need it, within one unit of work: what is written of them,
class TaskRecords {
public:
    virtual ~TaskRecords() = default;

    virtual Result<std::uint64_t> next_numbers(std::size_t count) = 0; // the first of them
    virtual Status insert(std::span<const Task> tasks) = 0;            // with what they wait for
    // False: it is no longer at the revision before this one.
    virtual Result<bool> update(const Task& task) = 0;
    // Replace what it depends on, and its tags; update() leaves both alone.
    virtual Status depend(const std::string& id, const Words& on) = 0;
    virtual Status tag(const std::string& id, const Words& tags) = 0;
    virtual Status extend(const std::string& id, Timestamp lease_ends) = 0;
    // Where its file is since then; empty: it has none now. No change of the task itself.
    virtual Status place(const std::string& id, std::string_view path, Timestamp at) = 0;
};

// how they are found,
class TaskSearch {
public:
    virtual ~TaskSearch() = default;

    virtual Result<std::optional<Task>> find(std::string_view id_or_ref) const = 0;
    virtual Result<std::vector<Task>> find_all(const Words& ids) const = 0;
    virtual Result<std::vector<Task>> list(const TaskQuery& query) const = 0;
    // The task that is not over and has this key.
    virtual Result<std::optional<Task>> with_unique_key(std::string_view key) const = 0;
    virtual Result<Words> dependents(const std::string& id) const = 0;
};

// and which of them are next.
class TaskQueue {
public:
    virtual ~TaskQueue() = default;

    virtual Result<Words> lanes() const = 0; // of what is pending
    virtual Result<std::vector<Task>>
    pending_in(std::string_view lane, std::size_t limit) const = 0;
    virtual Result<std::vector<Task>> lapsed(Timestamp now, std::size_t limit) const = 0;
    virtual Result<std::vector<Task>> due(Timestamp now, std::size_t limit) const = 0;
};

struct TaskBook {
    TaskRecords& records;
    const TaskSearch& search;
    const TaskQueue& queue;
};

} // namespace hive::colony::tasks
