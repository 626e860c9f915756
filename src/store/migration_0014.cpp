#include "store/migration_0014.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 2> changes_0014{
    // Empty: of the hive, as everything was before.
    "ALTER TABLE colony_usage ADD COLUMN currency {text} NOT NULL DEFAULT ''",
    // Left behind when a webhook was removed on one server while another was telling it something.
    "DELETE FROM colony_webhook_delivery WHERE NOT EXISTS (SELECT 1 FROM colony_webhook WHERE "
    "colony_webhook.hive = colony_webhook_delivery.hive AND "
    "colony_webhook.id = colony_webhook_delivery.webhook)",
};

} // namespace

const Migration migration_0014{
    14, "currencies, and deliveries of nobody", &translated<changes_0014>, {}};

} // namespace hive::store
