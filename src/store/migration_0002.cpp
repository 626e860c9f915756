#include "store/migration_0002.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 10> changes_0002{
    // Where each hive's log ends; `peaks` are the hashes of its Merkle frontier, largest first.
    R"(CREATE TABLE audit_head (
    hive {text} PRIMARY KEY,
    size {int64} NOT NULL CHECK (size > 0),
    chain {blob} NOT NULL,
    peaks {blob} NOT NULL
){strict})",

    // Complete subtrees of the Merkle tree, from a level on that makes them few.
    R"(CREATE TABLE audit_node (
    hive {text} NOT NULL,
    level {int64} NOT NULL,
    place {int64} NOT NULL,
    hash {blob} NOT NULL,
    PRIMARY KEY (hive, level, place)
){strict})",

    "ALTER TABLE accounts_key ADD COLUMN owner {text} NOT NULL DEFAULT ''",
    "ALTER TABLE accounts_key RENAME COLUMN prefix TO shown",
    "UPDATE accounts_key SET shown = shown || '…' || last4",
    "ALTER TABLE accounts_key DROP COLUMN last4",
    "CREATE INDEX accounts_key_owner ON accounts_key (hive, owner, id)",

    // No program ever wrote the sessions of the first step: nobody is signed out by this.
    "DROP TABLE accounts_session",
    R"(CREATE TABLE accounts_session (
    hive {text} NOT NULL,
    hash {blob} NOT NULL,
    person {text} NOT NULL,
    role {text} NOT NULL,
    created {int64} NOT NULL,
    last_seen {int64} NOT NULL,
    PRIMARY KEY (hive, hash)
){strict})",
    "CREATE INDEX accounts_session_person ON accounts_session (hive, person)",
};

constexpr std::array<std::string_view, 3> tables_0002{
    "audit_head", "audit_node", "accounts_session"};

std::vector<std::string> statements_0002(Engine engine) {
    auto all = translate_all(changes_0002, engine);
    for (auto& guard : append_only(engine, "audit_node", "")) all.push_back(std::move(guard));
    return all;
}

} // namespace

const Migration migration_0002{2, "ledger", &statements_0002, tables_0002};

} // namespace hive::store
