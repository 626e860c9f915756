#include "store/migration_0001.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

// Times are nanoseconds since 1970 UTC. Every row of a hive's data carries that hive's id.
constexpr std::array<std::string_view, 13> tables{
    R"(CREATE TABLE settings (
    hive {text} NOT NULL,
    name {text} NOT NULL,
    value {text} NOT NULL,
    changed {int64} NOT NULL,
    PRIMARY KEY (hive, name)
){strict})",

    // Without a status the request is still in flight. `claimed` tells two tries apart.
    R"(CREATE TABLE idempotency (
    hive {text} NOT NULL,
    key {text} NOT NULL,
    fingerprint {text} NOT NULL,
    claimed {int64} NOT NULL,
    status {int64},
    answer {blob},
    expires {int64} NOT NULL,
    PRIMARY KEY (hive, key)
){strict})",
    "CREATE INDEX idempotency_expires ON idempotency (expires)",

    R"(CREATE TABLE audit_log (
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
){strict})",
    "CREATE INDEX audit_log_actor ON audit_log (hive, actor, sequence)",
    "CREATE INDEX audit_log_entity ON audit_log (hive, entity_type, entity_id, sequence)",
    "CREATE INDEX audit_log_action ON audit_log (hive, action, sequence)",
    "CREATE INDEX audit_log_time ON audit_log (hive, time)",

    // Apart from the log, so that personal data can be erased while the chain stays whole.
    R"(CREATE TABLE audit_details (
    hive {text} NOT NULL,
    sequence {int64} NOT NULL,
    salt {blob},
    body {text},
    erased {int64},
    PRIMARY KEY (hive, sequence),
    FOREIGN KEY (hive, sequence) REFERENCES audit_log (hive, sequence)
        DEFERRABLE INITIALLY IMMEDIATE,
    CHECK ((erased IS NULL) = (salt IS NOT NULL AND body IS NOT NULL)),
    CHECK (erased IS NULL OR (salt IS NULL AND body IS NULL))
){strict})",

    R"(CREATE TABLE audit_checkpoint (
    hive {text} NOT NULL,
    size {int64} NOT NULL,
    time {int64} NOT NULL,
    note {text} NOT NULL,
    PRIMARY KEY (hive, size)
){strict})",

    R"(CREATE TABLE accounts_key (
    id {text} PRIMARY KEY,
    hive {text} NOT NULL,
    kind {text} NOT NULL,
    prefix {text} NOT NULL,
    last4 {text} NOT NULL,
    hash {blob} NOT NULL UNIQUE,
    role {text} NOT NULL,
    scopes {text} NOT NULL,
    created {int64} NOT NULL,
    expires {int64},
    revoked {int64},
    last_used {int64},
    rotated_to {text} REFERENCES accounts_key (id) DEFERRABLE INITIALLY IMMEDIATE
){strict})",

    R"(CREATE TABLE accounts_session (
    id {text} PRIMARY KEY,
    hive {text} NOT NULL,
    subject {text} NOT NULL,
    role {text} NOT NULL,
    hash {blob} NOT NULL UNIQUE,
    created {int64} NOT NULL,
    expires {int64} NOT NULL,
    revoked {int64},
    last_used {int64}
){strict})",

    R"(CREATE TABLE hive_event (
    hive {text} NOT NULL,
    sequence {int64} NOT NULL CHECK (sequence > 0),
    time {int64} NOT NULL,
    topic {text} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (hive, sequence)
){strict})",
};

constexpr std::array<std::string_view, 8> tables_0001{
    "settings",         "idempotency",  "audit_log",        "audit_details",
    "audit_checkpoint", "accounts_key", "accounts_session", "hive_event"};

// The only change details may see: from whole to erased.
constexpr std::string_view erasing = "OLD.erased IS NULL AND NEW.erased IS NOT NULL "
                                     "AND NEW.hive = OLD.hive AND NEW.sequence = OLD.sequence";

std::vector<std::string> statements_0001(Engine engine) {
    auto all = translate_all(tables, engine);
    const auto guard = [&](std::string_view table, std::string_view unless) {
        for (auto& statement : append_only(engine, table, unless)) {
            all.push_back(std::move(statement));
        }
    };
    guard("audit_log", "");
    guard("audit_details", erasing);
    guard("audit_checkpoint", "");
    return all;
}

} // namespace

const Migration migration_0001{1, "foundation", &statements_0001, tables_0001};

} // namespace hive::store
