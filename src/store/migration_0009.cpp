#include "store/migration_0009.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 9> changes_0009{
    // `body` is the record; the columns beside it are what is looked for and added up.
    R"(CREATE TABLE colony_usage (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    usage_key {text} NOT NULL,
    at {int64} NOT NULL,
    day {text} NOT NULL,
    task {text} NOT NULL,
    bee {text} NOT NULL,
    model {text} NOT NULL,
    run {text} NOT NULL,
    micros {int64} NOT NULL,
    input {int64} NOT NULL,
    output {int64} NOT NULL,
    cache_read {int64} NOT NULL,
    cache_write {int64} NOT NULL,
    reasoning {int64} NOT NULL,
    cpu {int64} NOT NULL,
    energy_low {real} NOT NULL,
    energy_high {real} NOT NULL,
    carbon_low {real} NOT NULL,
    carbon_high {real} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE UNIQUE INDEX colony_usage_key ON colony_usage (usage_key, hive)",
    "CREATE INDEX colony_usage_at ON colony_usage (at, hive)",
    "CREATE INDEX colony_usage_task ON colony_usage (task, id, hive)",
    "CREATE INDEX colony_usage_bee ON colony_usage (bee, id, hive)",
    R"(CREATE TABLE colony_price (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    R"(CREATE TABLE colony_budget (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    // What was spent of a budget, by whom, in which period.
    R"(CREATE TABLE colony_spending (
    hive {text} NOT NULL,
    budget {text} NOT NULL,
    period {text} NOT NULL,
    subject {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, budget, period, subject)
){strict})",
    "CREATE INDEX colony_usage_run ON colony_usage (run, id, hive)",
};

constexpr std::array<std::string_view, 4> tables_0009{
    "colony_usage", "colony_price", "colony_budget", "colony_spending"};

} // namespace

const Migration migration_0009{9, "costs", &translated<changes_0009>, tables_0009};

} // namespace hive::store
