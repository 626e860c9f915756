#include "store/migration_0010.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 4> changes_0010{
    // What signs is kept apart from what is shown.
    R"(CREATE TABLE colony_webhook (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    body {text} NOT NULL,
    secrets {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    // The outbox and the log in one: what is due has a time, what is over has none.
    R"(CREATE TABLE colony_webhook_delivery (
    hive {text} NOT NULL,
    id {text} NOT NULL,
    webhook {text} NOT NULL,
    event {text} NOT NULL,
    state {int64} NOT NULL,
    created {int64} NOT NULL,
    due {int64},
    body {text} NOT NULL,
    payload {text} NOT NULL,
    PRIMARY KEY (hive, id)
){strict})",
    "CREATE INDEX colony_webhook_delivery_log ON colony_webhook_delivery (webhook, id, hive)",
    "CREATE INDEX colony_webhook_delivery_due ON colony_webhook_delivery (webhook, due, hive) "
    "WHERE due IS NOT NULL",
};

constexpr std::array<std::string_view, 2> tables_0010{"colony_webhook", "colony_webhook_delivery"};

} // namespace

const Migration migration_0010{10, "webhooks", &translated<changes_0010>, tables_0010};

} // namespace hive::store
