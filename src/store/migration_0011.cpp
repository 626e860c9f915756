#include "store/migration_0011.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 5> changes_0011{
    // What is known of the files of `.deia`.
    R"(CREATE TABLE colony_file (
    hive {text} NOT NULL,
    path {text} NOT NULL,
    digest {text} NOT NULL,
    changed {int64} NOT NULL,
    synced {int64} NOT NULL,
    family {text} NOT NULL,
    entity {text},
    revision {int64} NOT NULL,
    stem {text} NOT NULL,
    called {text},
    gone {int64} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, path)
){strict})",
    "CREATE INDEX colony_file_entity ON colony_file (entity, hive) WHERE entity IS NOT NULL",
    "CREATE INDEX colony_file_stem ON colony_file (stem, hive)",
    "CREATE INDEX colony_file_called ON colony_file (called, hive) WHERE called IS NOT NULL",
    // Their bytes as they were when they were last in step, and before; by SHA-256.
    R"(CREATE TABLE colony_file_bytes (
    hive {text} NOT NULL,
    digest {text} NOT NULL,
    bytes {blob} NOT NULL,
    PRIMARY KEY (hive, digest)
){strict})",
};

constexpr std::array<std::string_view, 2> tables_0011{"colony_file", "colony_file_bytes"};

} // namespace

const Migration migration_0011{11, "files", &translated<changes_0011>, tables_0011};

} // namespace hive::store
