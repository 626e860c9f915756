#pragma once

#include "api/colony/unit.hpp"
#include "api/colony/webhook_outbox.hpp"
#include "colony/webhooks/managing.hpp"
#include "store/webhook_tables.hpp"
#include "web/client.hpp"

namespace hive::rest {

// What the routes and the courier of webhooks share; all of it outlives the server.
struct WebhookParts {
    WebhookOutbox& outbox;
    web::Client& web; // that refuses what is not on the public internet, unless it is allowed
    colony::webhooks::Policy policy{};
};

// Webhooks in one unit.
class WebhookOffice {
public:
    WebhookOffice(Unit& unit, const colony::webhooks::Policy& policy)
        : endpoints_{unit.session(), unit.hive()}, deliveries_{unit.session(), unit.hive()},
          office_{endpoints_, deliveries_, unit.moment(), policy} {}
    WebhookOffice(const WebhookOffice&) = delete;
    WebhookOffice& operator=(const WebhookOffice&) = delete;

    colony::webhooks::Office& operator*() noexcept { return office_; }

private:
    store::WebhookTable endpoints_;
    store::DeliveryTable deliveries_;
    colony::webhooks::Office office_;
};

} // namespace hive::rest
