#pragma once

#include "api/colony/webhook_office.hpp"
#include "api/rest/hive_server.hpp"

#include <vector>

namespace hive::rest {

// Webhooks of a server: their routes, schemas and chores, the outbox, and how they end. The parts
// outlive the server.
void offer_webhooks(const WebhookParts& webhooks, HiveParts& parts);

// Webhook, NewWebhook, ... as routes refer to them.
void add_webhook_schemas(json::object& schemas);
json::object example_webhook();
json::object example_delivery();

} // namespace hive::rest
