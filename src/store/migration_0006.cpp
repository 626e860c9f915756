#include "store/migration_0006.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 12> changes_0006{
    // `body` is the task; the columns beside it are what tasks are looked for by. `lease_ends` is
    // the truth about it: a heartbeat writes nothing else.
    R"(CREATE TABLE colony_task (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    ref {text} NOT NULL,
    state {text} NOT NULL,
    priority {int64} NOT NULL,
    lane {text} NOT NULL,
    created {int64} NOT NULL,
    created_by {text} NOT NULL,
    title {text} NOT NULL,
    revision {int64} NOT NULL,
    assigned_to {text},
    holder {text},
    lease_ends {int64},
    due {int64},
    unique_key {text},
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE UNIQUE INDEX colony_task_ref ON colony_task (ref, hive)",
    "CREATE UNIQUE INDEX colony_task_unique ON colony_task (unique_key, hive) "
    "WHERE unique_key IS NOT NULL",
    "CREATE INDEX colony_task_pending ON colony_task (lane, priority, created, id, hive) "
    "WHERE state = 'pending'",
    "CREATE INDEX colony_task_state ON colony_task (state, id, hive)",
    "CREATE INDEX colony_task_lease ON colony_task (lease_ends, hive) WHERE lease_ends IS NOT NULL",
    "CREATE INDEX colony_task_due ON colony_task (due, hive) WHERE due IS NOT NULL",
    "CREATE INDEX colony_task_holder ON colony_task (holder, id, hive) WHERE holder IS NOT NULL",

    R"(CREATE TABLE colony_task_tag (
    hive {text} NOT NULL,
    tag {text} NOT NULL,
    task {text} NOT NULL,
    PRIMARY KEY (hive, tag, task)
){strict})",
    // Found by what is depended on, when that ends.
    R"(CREATE TABLE colony_task_link (
    hive {text} NOT NULL,
    depends_on {text} NOT NULL,
    task {text} NOT NULL,
    PRIMARY KEY (hive, depends_on, task)
){strict})",
    "CREATE INDEX colony_task_link_task ON colony_task_link (task, hive)",

    R"(CREATE TABLE colony_number (
    hive {text} NOT NULL,
    name {text} NOT NULL,
    last {int64} NOT NULL,
    PRIMARY KEY (hive, name)
){strict})",
};

constexpr std::array<std::string_view, 4> tables_0006{
    "colony_task", "colony_task_tag", "colony_task_link", "colony_number"};

} // namespace

const Migration migration_0006{6, "tasks", &translated<changes_0006>, tables_0006};

} // namespace hive::store
