#include "store/migration_0013.hpp"

#include "store/dialect.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::store {
namespace {

// An entry used to be written into seven trees: two tables, their keys, three indexes. Now it is
// three: both tables are stored by their keys, and who did what is looked up by spans of 1024
// entries. There are few actors and actions, so an index of them cost each append and saved little.
constexpr std::array<std::string_view, 8> sqlite_changes{
    R"(CREATE TABLE audit_details_keyed (
    hive {text} NOT NULL,
    sequence {int64} NOT NULL,
    salt {blob},
    body {text},
    erased {int64},
    PRIMARY KEY (hive, sequence),
    CHECK ((erased IS NULL) = (salt IS NOT NULL AND body IS NOT NULL)),
    CHECK (erased IS NULL OR (salt IS NULL AND body IS NULL))
){keyed})",
    "INSERT INTO audit_details_keyed (hive, sequence, salt, body, erased) "
    "SELECT hive, sequence, salt, body, erased FROM audit_details ORDER BY hive, sequence",
    "DROP TABLE audit_details",
    "ALTER TABLE audit_details_keyed RENAME TO audit_details",

    R"(CREATE TABLE audit_log_keyed (
    hive {text} NOT NULL,
    sequence {int64} NOT NULL CHECK (sequence > 0),
    time {int64} NOT NULL,
    actor {text} NOT NULL,
    action {text} NOT NULL,
    entity_type {text} NOT NULL,
    entity_id {text} NOT NULL,
    correlation_id {text},
    request_id {text},
    details_hash {blob} NOT NULL,
    hash {blob} NOT NULL,
    PRIMARY KEY (hive, sequence)
){keyed})",
    "INSERT INTO audit_log_keyed (hive, sequence, time, actor, action, entity_type, entity_id, "
    "correlation_id, request_id, details_hash, hash) "
    "SELECT hive, sequence, time, actor, action, entity_type, entity_id, correlation_id, "
    "request_id, details_hash, hash FROM audit_log ORDER BY hive, sequence",
    "DROP TABLE audit_log",
    "ALTER TABLE audit_log_keyed RENAME TO audit_log",
};

constexpr std::array<std::string_view, 3> postgres_changes{
    "ALTER TABLE audit_details DROP CONSTRAINT audit_details_hive_sequence_fkey",
    "DROP INDEX audit_log_actor",
    "DROP INDEX audit_log_action",
};

// For SQLite's planner, as in migration_0012.cpp: the rows of an entity are few, those of a hive
// are all. A table stored by its key gives that key its own name.
constexpr std::array<std::string_view, 4> sqlite_figures{
    "CREATE INDEX audit_log_entity ON audit_log (entity_id, entity_type, hive, sequence)",
    "INSERT INTO sqlite_stat1 VALUES ('audit_log', 'audit_log', '1000000 1000000 1')",
    "INSERT INTO sqlite_stat1 VALUES ('audit_log', 'audit_log_entity', '1000000 10 10 10 1')",
    "ANALYZE sqlite_schema",
};

constexpr std::string_view terms_table = R"(CREATE TABLE audit_term (
    hive {text} NOT NULL,
    kind {text} NOT NULL,
    term {text} NOT NULL,
    place {int64} NOT NULL,
    PRIMARY KEY (hive, kind, term, place)
){keyed})";

constexpr std::array<std::string_view, 1> tables_0013{"audit_term"};

constexpr std::string_view erasing = "OLD.erased IS NULL AND NEW.erased IS NOT NULL "
                                     "AND NEW.hive = OLD.hive AND NEW.sequence = OLD.sequence";

std::string terms_of_spans(std::string_view column) {
    return fmt::format(
        "INSERT INTO audit_term (hive, kind, term, place) "
        "SELECT DISTINCT s.hive, '{0}', l.{0}, s.place FROM audit_span s "
        "JOIN audit_log l ON l.hive = s.hive AND l.sequence > s.place * 1024 "
        "AND l.sequence <= (s.place + 1) * 1024",
        column);
}

std::vector<std::string> statements_0013(Engine engine) {
    std::vector<std::string> all;
    const auto add = [&](std::span<const std::string_view> changes) {
        for (const auto change : changes) all.push_back(translate(change, engine));
    };
    const auto guard = [&](std::string_view table, std::string_view unless) {
        for (auto& one : append_only(engine, table, unless)) all.push_back(std::move(one));
    };
    if (engine == Engine::sqlite) {
        add(sqlite_changes);
        add(sqlite_figures);
        guard("audit_log", "");
        guard("audit_details", erasing);
    } else {
        add(postgres_changes);
    }
    all.push_back(translate(terms_table, engine));
    for (const auto column : {"actor", "action", "entity_type"}) {
        all.push_back(terms_of_spans(column));
    }
    guard("audit_term", "");
    return all;
}

} // namespace

const Migration migration_0013{13, "audit by spans", &statements_0013, tables_0013};

} // namespace hive::store
