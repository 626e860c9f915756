#pragma once

#include "kernel/result.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// One step of the schema. A released step is never edited: databases remember its checksum and
// refuse a program that tells another story. Changes go into a new step.
struct Migration {
    std::int64_t version; // counting from 1 without gaps
    std::string_view name;
    std::vector<std::string> (*statements)(Engine engine); // in order, one statement each
    std::span<const std::string_view> tables;              // that it creates
};

// What this program knows, in order. Step n is in migration_000n.cpp.
std::span<const Migration> migrations();

std::string checksum_of(const Migration& migration, Engine engine);

struct MigrationReport {
    std::int64_t from = 0; // 0: the database was empty
    std::int64_t to = 0;
};

// Brings the database to the newest version this program knows, in one transaction. Safe to repeat
// and to run from several servers at once: the second waits and finds nothing to do.
// Errc::conflict when the database is newer than the program, or when a step it was built with is
// not the one this program has.
Result<MigrationReport> migrate(Database& database);

// As above inside a unit, up to `version` at most, with the given steps.
Result<MigrationReport> apply_migrations(
    Session& session, Engine engine, std::span<const Migration> steps, std::int64_t version);

// What is wrong with the steps recorded in the database; empty when they are ours and complete.
Result<std::vector<std::string>>
check_migrations(Session& session, Engine engine, std::span<const Migration> steps);

Result<std::int64_t> schema_version(Session& session, Engine engine); // 0: none yet

} // namespace hive::store
