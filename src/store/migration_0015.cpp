#include "store/migration_0015.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 4> changes_0015{
    // Where the file of a task is, which changes without a revision of the task. Empty: it has
    // none now; null: as its body says.
    "ALTER TABLE colony_task ADD COLUMN file_path {text}",
    "ALTER TABLE colony_task ADD COLUMN file_synced {int64}",
    "CREATE INDEX colony_file_digest ON colony_file (digest, hive)",
    // Bytes that no file refers to any more, and since when. A table of its own: a column behind
    // the bytes would be read through all of them.
    R"(CREATE TABLE colony_file_unused (
    hive {text} NOT NULL,
    digest {text} NOT NULL,
    since {int64} NOT NULL,
    PRIMARY KEY (hive, digest)
){strict})",
};

constexpr std::array<std::string_view, 1> tables_0015{"colony_file_unused"};

} // namespace

const Migration migration_0015{
    15, "files of tasks, old versions", &translated<changes_0015>, tables_0015};

} // namespace hive::store
