#pragma once

#include "colony/tasks/bench.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::colony::tasks {

inline constexpr std::size_t created_at_once_max = 1000;

struct NewTask {
    std::string ref{}; // empty: the next TASK-n
    std::string title;
    std::string description{};
    int priority = priority_usual;
    Words tags{};
    Words skills{};
    std::string assigned_to{};
    std::optional<Timestamp> not_before{};
    std::string repeat{};
    std::string time_zone{}; // of it; empty: UTC
    Words depends_on{};      // ids or refs; also of tasks made together with it
    std::string unique_key{};
    std::vector<Attachment> attachments{};
    json::object metadata{};
    Retry retry{};
    std::string created_by{}; // empty: whoever acts
    std::string file_path{};
};

// All of them or none.
Outcome<std::vector<Task>> create(Bench& bench, std::vector<NewTask> wanted);

struct Changes {
    std::optional<std::string> title{};
    std::optional<std::string> description{};
    std::optional<int> priority{};
    std::optional<Words> tags{};
    std::optional<Words> skills{};
    std::optional<std::string> assigned_to{};
    std::optional<std::optional<Timestamp>> not_before{};
    std::optional<std::string> repeat{};
    std::optional<std::string> time_zone{};
    std::optional<Words> depends_on{};
    std::optional<std::vector<Attachment>> attachments{};
    std::optional<json::object> metadata{};
};
Outcome<Task> change(Bench& bench, Task task, const Changes& changes);

// What people may call a task: 1 to 200 visible characters without a slash.
Status check_ref(std::string_view ref);

} // namespace hive::colony::tasks
