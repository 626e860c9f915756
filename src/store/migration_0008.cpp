#include "store/migration_0008.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 9> changes_0008{
    R"(CREATE TABLE colony_approval_rule (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    // `act_key` and `due` only while it is open, `carry` only while something is left to do.
    R"(CREATE TABLE colony_approval (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    state {text} NOT NULL,
    act {text} NOT NULL,
    entity {text} NOT NULL,
    requester {text} NOT NULL,
    rule {text} NOT NULL,
    revision {int64} NOT NULL,
    act_key {text},
    due {int64},
    carry {text},
    body {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE UNIQUE INDEX colony_approval_key ON colony_approval (act_key, hive) "
    "WHERE act_key IS NOT NULL",
    "CREATE INDEX colony_approval_state ON colony_approval (state, id, hive)",
    "CREATE INDEX colony_approval_entity ON colony_approval (entity, id, hive)",
    "CREATE INDEX colony_approval_due ON colony_approval (due, hive) WHERE due IS NOT NULL",
    "CREATE INDEX colony_approval_carry ON colony_approval (id, hive) WHERE carry IS NOT NULL",
    // The word of a link is not kept, only its hash.
    R"(CREATE TABLE colony_approval_link (
    hive {text} NOT NULL,
    word {blob} NOT NULL,
    approval {text} NOT NULL,
    person {text} NOT NULL,
    role {text} NOT NULL,
    made_by {text} NOT NULL,
    expires {int64} NOT NULL,
    used {int64},
    PRIMARY KEY (hive, word)
){strict})",
    "CREATE INDEX colony_approval_link_expires ON colony_approval_link (expires, hive)",
};

constexpr std::array<std::string_view, 3> tables_0008{
    "colony_approval_rule", "colony_approval", "colony_approval_link"};

} // namespace

const Migration migration_0008{8, "approvals", &translated<changes_0008>, tables_0008};

} // namespace hive::store
