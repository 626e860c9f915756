#include "store/migration_0004.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 10> changes_0004{
    // `body` is all of it; the other columns are for listings and clearing out.
    R"(CREATE TABLE orchestrator_swarm (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    run {text} NOT NULL,
    wish {text} NOT NULL,
    phase {text} NOT NULL,
    changed {int64} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",

    // One life of a swarm, from its creation to its removal.
    R"(CREATE TABLE orchestrator_run (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    swarm {text} NOT NULL,
    created {int64} NOT NULL,
    ended {int64},
    who {text} NOT NULL,
    labels {text} NOT NULL,
    notes {text} NOT NULL,
    pinned {int64} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE INDEX orchestrator_run_created ON orchestrator_run (created, hive, id)",
    "CREATE INDEX orchestrator_run_swarm ON orchestrator_run (swarm, hive, created)",

    // Where the journal of a hive ends: numbers are never given twice, whatever is cleared out.
    // `batch` names what was appended last, so that a repeated append is recognised.
    R"(CREATE TABLE orchestrator_journal_head (
    hive {text} PRIMARY KEY,
    last {int64} NOT NULL,
    batch {text} NOT NULL
){strict})",

    // `run` is empty for what belongs to no run; `severity` grows with how bad it is.
    R"(CREATE TABLE orchestrator_journal (
    hive {text} NOT NULL,
    sequence {int64} NOT NULL CHECK (sequence > 0),
    swarm {text} NOT NULL,
    run {text} NOT NULL,
    time {int64} NOT NULL,
    severity {int64} NOT NULL,
    kind {text} NOT NULL,
    type {text} NOT NULL,
    origin {text} NOT NULL,
    correlation_id {text},
    data {text} NOT NULL,
    PRIMARY KEY (hive, sequence)
){strict})",

    // Each page is read from its end: the sequence comes last in every index.
    "CREATE INDEX orchestrator_journal_swarm ON orchestrator_journal (swarm, hive, sequence)",
    "CREATE INDEX orchestrator_journal_run ON orchestrator_journal (run, hive, sequence)",
    "CREATE INDEX orchestrator_journal_correlation ON orchestrator_journal "
    "(correlation_id, hive, sequence)",
    // Few entries are bad, and those are what people look for in a whole hive.
    "CREATE INDEX orchestrator_journal_bad ON orchestrator_journal (sequence, hive) "
    "WHERE severity > 0",
};

constexpr std::array<std::string_view, 4> tables_0004{
    "orchestrator_swarm", "orchestrator_run", "orchestrator_journal_head", "orchestrator_journal"};

} // namespace

const Migration migration_0004{4, "swarms", &translated<changes_0004>, tables_0004};

} // namespace hive::store
