#include "store/task_tables.hpp"

#include "colony/tasks/task_json.hpp"
#include "kernel/uuid.hpp"
#include "store/columns.hpp"
#include "store/repository.hpp"
#include "store/rows.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

using colony::Words;
using colony::tasks::State;
using colony::tasks::Task;
using colony::tasks::TaskOrder;
using colony::tasks::TaskQuery;

// The texts and values of one row, which borrows them.
struct TaskRow {
    explicit TaskRow(const Task& from)
        : task{&from}, lane{colony::tasks::lane_of(from)}, body{to_stored(from)} {}

    Value or_nothing(const std::string& text) const {
        return text.empty() ? Value{Null{}} : Value{std::string_view{text}};
    }
    Value holder() const {
        return task->lease ? Value{std::string_view{task->lease->holder}} : Value{Null{}};
    }
    Value lease_ends() const {
        return task->lease ? Value{as_column(task->lease->ends)} : Value{Null{}};
    }
    Value due() const {
        const bool by_time = task->state == State::waiting && task->unmet.empty();
        return by_time ? as_column(task->not_before) : Value{Null{}};
    }
    // Free again once the task is over.
    Value unique_key() const {
        return is_over(task->state) ? Value{Null{}} : or_nothing(task->unique_key);
    }

    const Task* task;
    std::string lane;
    std::string body;
};

std::int64_t limit_of(std::size_t limit) {
    return static_cast<std::int64_t>(limit);
}

std::string like_pattern(std::string_view text) {
    std::string out = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\') out += '\\';
        out += c;
    }
    return out + "%";
}

// Alone, a tag leads to the page by its own index, however rare it is among a million tasks.
void add_tag(Filter& filter, const TaskQuery& query) {
    const bool alone = query.order == TaskOrder::newest && !query.state && !query.priority &&
                       query.assigned_to.empty() && query.holder.empty() &&
                       query.created_by.empty() && query.text.empty();
    if (!alone) {
        filter.add(
            "EXISTS (SELECT 1 FROM colony_task_tag t WHERE t.hive = colony_task.hive AND "
            "t.tag = {} AND t.task = colony_task.id)",
            query.tag);
        return;
    }
    const std::string tag = filter.parameter(query.tag);
    const std::string_view last = query.after.empty() ? "~" : std::string_view{query.after};
    const std::string before = filter.parameter(last); // `~` is behind every id
    filter.add(
        fmt::format(
            "id IN (SELECT task FROM colony_task_tag WHERE hive = $1 AND tag = {} AND task < {} "
            "ORDER BY task DESC LIMIT {{}})",
            tag, before),
        limit_of(query.limit));
}

} // namespace

Result<std::vector<Task>> TaskTable::select(std::string_view rest, Params params) const {
    std::vector<Task> tasks;
    Status good{};
    const auto read = session_->query(
        fmt::format(
            "SELECT body, lease_ends, file_path, file_synced FROM colony_task WHERE {}", rest),
        params, [&](const Row& row) {
            auto task = colony::tasks::from_stored(row.text(0));
            if (!task) {
                good = fail(task.error());
                return;
            }
            if (task->lease) task->lease->ends = time_if(row, 1).value_or(task->lease->ends);
            if (const auto path = row.text_if(2)) {
                task->file_path = *path;
                task->file_synced_at = time_if(row, 3);
            }
            tasks.push_back(*std::move(task));
        });
    if (!read) return fail(read.error());
    if (!good) return fail(good.error());
    return tasks;
}

Result<std::optional<Task>> TaskTable::first(std::string_view rest, Params params) const {
    return first_of(select(rest, params));
}

Result<std::uint64_t> TaskTable::next_numbers(std::size_t count) {
    std::int64_t last = 0;
    const auto read = session_->query(
        "INSERT INTO colony_number (hive, name, last) VALUES ($1, 'task', $2) "
        "ON CONFLICT (hive, name) DO UPDATE SET last = colony_number.last + $2 RETURNING last",
        {hive_.text(), limit_of(count)}, [&](const Row& row) { last = row.integer(0); });
    if (!read) return fail(read.error());
    return static_cast<std::uint64_t>(last) - count + 1;
}

Status TaskTable::insert(std::span<const Task> tasks) {
    std::vector<TaskRow> kept;
    kept.reserve(tasks.size());
    Rows rows{"colony_task (hive, id, ref, state, priority, lane, created, created_by, title, "
              "revision, assigned_to, holder, lease_ends, due, unique_key, body, file_path, "
              "file_synced)"};
    Rows tags{"colony_task_tag (hive, tag, task)"};
    Rows links{"colony_task_link (hive, depends_on, task)"};
    for (const Task& task : tasks) {
        const TaskRow& row = kept.emplace_back(task);
        rows.add(
            {hive_.text(), task.id, task.ref, name_of(task.state), std::int64_t{task.priority},
             row.lane, as_column(task.created), task.created_by, task.title,
             as_column(task.revision), row.or_nothing(task.assigned_to), row.holder(),
             row.lease_ends(), row.due(), row.unique_key(), row.body,
             row.or_nothing(task.file_path), as_column(task.file_synced_at)});
        for (const auto& tag : task.tags) tags.add({hive_.text(), tag, task.id});
        for (const auto& on : task.depends_on) links.add({hive_.text(), on, task.id});
    }
    if (auto ok = rows.insert(*session_); !ok) return ok;
    if (auto ok = tags.insert(*session_); !ok) return ok;
    return links.insert(*session_);
}

Result<bool> TaskTable::update(const Task& task) {
    const TaskRow row{task};
    const auto changed = session_->execute(
        "UPDATE colony_task SET state = $3, priority = $4, lane = $5, title = $6, revision = $7, "
        "assigned_to = $8, holder = $9, lease_ends = $10, due = $11, unique_key = $12, body = $13 "
        "WHERE hive = $1 AND id = $2 AND revision = $14",
        {hive_.text(), task.id, name_of(task.state), std::int64_t{task.priority}, row.lane,
         task.title, as_column(task.revision), row.or_nothing(task.assigned_to), row.holder(),
         row.lease_ends(), row.due(), row.unique_key(), row.body, as_column(task.revision - 1)});
    if (!changed) return fail(changed.error());
    return *changed == 1;
}

Status TaskTable::depend(const std::string& id, const Words& on) {
    auto gone = session_->execute(
        "DELETE FROM colony_task_link WHERE hive = $1 AND task = $2", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    Rows links{"colony_task_link (hive, depends_on, task)"};
    for (const auto& other : on) links.add({hive_.text(), other, id});
    return links.insert(*session_);
}

Status TaskTable::tag(const std::string& id, const Words& tags) {
    auto gone = session_->execute(
        "DELETE FROM colony_task_tag WHERE hive = $1 AND task = $2", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    Rows rows{"colony_task_tag (hive, tag, task)"};
    for (const auto& one : tags) rows.add({hive_.text(), one, id});
    return rows.insert(*session_);
}

Status TaskTable::extend(const std::string& id, Timestamp lease_ends) {
    return nothing_but(session_->execute(
        "UPDATE colony_task SET lease_ends = $3 WHERE hive = $1 AND id = $2",
        {hive_.text(), id, as_column(lease_ends)}));
}

Status TaskTable::place(const std::string& id, std::string_view path, Timestamp at) {
    return nothing_but(session_->execute(
        "UPDATE colony_task SET file_path = $3, file_synced = $4 WHERE hive = $1 AND id = $2",
        {hive_.text(), id, path, path.empty() ? Value{Null{}} : Value{as_column(at)}}));
}

Result<std::optional<Task>> TaskTable::find(std::string_view id_or_ref) const {
    if (is_uuid(id_or_ref)) {
        auto by_id = first("hive = $1 AND id = $2", {hive_.text(), id_or_ref});
        if (!by_id || *by_id) return by_id;
    }
    return first("ref = $2 AND hive = $1", {hive_.text(), id_or_ref});
}

Result<std::vector<Task>> TaskTable::find_all(const Words& ids) const {
    std::vector<Task> tasks;
    for (const auto& id : ids) {
        auto task = find(id);
        if (!task) return fail(task.error());
        if (*task) tasks.push_back(**std::move(task));
    }
    return tasks;
}

Result<std::vector<Task>> TaskTable::list(const TaskQuery& query) const {
    Filter filter{hive_.text()};
    const std::string pattern = like_pattern(query.text);
    if (query.state) filter.add("state = {}", name_of(*query.state));
    if (query.priority) filter.add("priority = {}", std::int64_t{*query.priority});
    if (!query.assigned_to.empty()) filter.add("assigned_to = {}", query.assigned_to);
    if (!query.holder.empty()) filter.add("holder = {}", query.holder);
    if (!query.created_by.empty()) filter.add("created_by = {}", query.created_by);
    if (!query.text.empty()) filter.add("LOWER(title) LIKE LOWER({}) ESCAPE '\\'", pattern);
    if (!query.tag.empty()) add_tag(filter, query);
    if (query.order == TaskOrder::next) return list_next(std::move(filter), query);
    if (!query.after.empty()) filter.add("id < {}", query.after);
    const std::string limit = filter.parameter(limit_of(query.limit));
    return select(
        fmt::format("{} ORDER BY id DESC LIMIT {}", filter.where(), limit), filter.params());
}

// Sorts what is light; only the tasks of the page are read.
Result<std::vector<Task>> TaskTable::list_next(Filter filter, const TaskQuery& query) const {
    if (query.behind) {
        const std::string priority = filter.parameter(std::int64_t{query.behind->priority});
        const std::string created = filter.parameter(as_column(query.behind->created));
        filter.add(
            fmt::format("(priority, created, id) > ({}, {}, {{}})", priority, created),
            query.behind->id);
    }
    const std::string limit = filter.parameter(limit_of(query.limit));
    constexpr std::string_view order = "ORDER BY priority, created, id";
    // What is said of the lane holds for all: it leads SQLite to the index of what is pending,
    // which has all that is sorted by, so that no task is read for it.
    const std::string_view led =
        query.state == State::pending ? " AND state = 'pending' AND lane >= ''" : "";
    return select(
        fmt::format(
            "hive = $1 AND id IN (SELECT id FROM colony_task WHERE {0}{1} {2} LIMIT {3}) {2}",
            filter.where(), led, order, limit),
        filter.params());
}

Result<std::array<std::uint64_t, colony::tasks::state_count>> TaskTable::counts() const {
    std::array<std::uint64_t, colony::tasks::state_count> counts{};
    const auto read = session_->query(
        "SELECT state, COUNT(*) FROM colony_task WHERE hive = $1 GROUP BY state", {hive_.text()},
        [&](const Row& row) {
            const auto state = colony::tasks::parse_state(row.text(0));
            if (!state) return;
            counts.at(static_cast<std::size_t>(*state)) =
                static_cast<std::uint64_t>(row.integer(1));
        });
    if (!read) return fail(read.error());
    return counts;
}

Result<std::optional<Task>> TaskTable::with_unique_key(std::string_view key) const {
    return first("unique_key = $2 AND hive = $1", {hive_.text(), key});
}

Result<Words> TaskTable::lanes() const {
    Words lanes;
    // From one lane to the next by the index, without looking at the tasks between.
    const auto read = session_->query(
        "WITH RECURSIVE found (lane) AS ("
        "SELECT (SELECT lane FROM colony_task WHERE state = 'pending' AND hive = $1 "
        "ORDER BY lane LIMIT 1) "
        "UNION ALL SELECT (SELECT t.lane FROM colony_task t WHERE t.state = 'pending' AND "
        "t.hive = $1 AND t.lane > found.lane ORDER BY t.lane LIMIT 1) "
        "FROM found WHERE found.lane IS NOT NULL) "
        "SELECT lane FROM found WHERE lane IS NOT NULL",
        {hive_.text()}, [&](const Row& row) { lanes.emplace_back(row.text(0)); });
    if (!read) return fail(read.error());
    return lanes;
}

Result<std::vector<Task>> TaskTable::pending_in(std::string_view lane, std::size_t limit) const {
    return select(
        "state = 'pending' AND lane = $2 AND hive = $1 ORDER BY priority, created, id LIMIT $3",
        {hive_.text(), lane, limit_of(limit)});
}

Result<std::vector<Task>> TaskTable::lapsed(Timestamp now, std::size_t limit) const {
    return select(
        "lease_ends IS NOT NULL AND lease_ends <= $2 AND hive = $1 ORDER BY lease_ends LIMIT $3",
        {hive_.text(), as_column(now), limit_of(limit)});
}

Result<std::vector<Task>> TaskTable::due(Timestamp now, std::size_t limit) const {
    return select(
        "due IS NOT NULL AND due <= $2 AND hive = $1 ORDER BY due LIMIT $3",
        {hive_.text(), as_column(now), limit_of(limit)});
}

Result<Words> TaskTable::dependents(const std::string& id) const {
    Words tasks;
    const auto read = session_->query(
        "SELECT task FROM colony_task_link WHERE hive = $1 AND depends_on = $2 ORDER BY task",
        {hive_.text(), id}, [&](const Row& row) { tasks.emplace_back(row.text(0)); });
    if (!read) return fail(read.error());
    return tasks;
}

} // namespace hive::store
