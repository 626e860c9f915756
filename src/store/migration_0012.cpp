#include "store/migration_0012.hpp"

#include "store/dialect.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::store {
namespace {

// An index, and how many rows it has and how many of them share each more of its columns: the form
// of SQLite's own figures.
struct Figures {
    std::string_view table;
    std::string_view index;
    std::string_view rows;
};

// Without figures SQLite takes the id of a hive for a rare thing and walks through all tasks of the
// hive where an index would lead to the few that are due, lapsed or pending. These are those of a
// big hive; in a small one every way is short.
constexpr std::array figures{
    Figures{"colony_task", "sqlite_autoindex_colony_task_1", "1000000 1000000 1"},
    Figures{"colony_task", "colony_task_ref", "1000000 1 1"},
    Figures{"colony_task", "colony_task_state", "1000000 100000 1 1"},
    Figures{"colony_task", "colony_task_pending", "1000 100 20 1 1 1"},
    Figures{"colony_task", "colony_task_lease", "1000 1 1"},
    Figures{"colony_task", "colony_task_due", "1000 1 1"},
    Figures{"colony_task", "colony_task_holder", "1000 10 1 1"},
    Figures{"colony_task", "colony_task_unique", "1000 1 1"},
    Figures{"colony_task_tag", "sqlite_autoindex_colony_task_tag_1", "1000000 1000000 1000 1"},
    Figures{"colony_task_tag", "colony_task_tag_task", "1000000 3 3"},
    Figures{"colony_message", "sqlite_autoindex_colony_message_1", "1000000 1000000 1"},
    Figures{"colony_message", "colony_message_channel", "1000000 1000 1 1"},
    Figures{"colony_message", "colony_message_thread", "100000 10 1 1"},
    Figures{"colony_message", "colony_message_due", "1000 1 1"},
};

std::vector<std::string> statements_0012(Engine engine) {
    // Tags of a task are replaced as a whole.
    std::vector<std::string> all{
        "CREATE INDEX colony_task_tag_task ON colony_task_tag (task, hive)"};
    if (engine != Engine::sqlite) return all;  // PostgreSQL keeps figures by itself
    all.emplace_back("ANALYZE colony_number"); // makes the table of figures
    all.emplace_back("DELETE FROM sqlite_stat1");
    for (const auto& [table, index, rows] : figures) {
        all.push_back(
            fmt::format("INSERT INTO sqlite_stat1 VALUES ('{}', '{}', '{}')", table, index, rows));
    }
    all.emplace_back("ANALYZE sqlite_schema"); // reads them again
    return all;
}

} // namespace

const Migration migration_0012{12, "figures for the planner", &statements_0012, {}};

} // namespace hive::store
